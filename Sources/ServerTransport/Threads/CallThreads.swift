import NIOPosix

/// Threads on which handlers run. A handler may block its thread for a read of the disk, so it runs
/// neither on an event loop nor on Swift's cooperative pool.
package final class CallThreads: TaskExecutor {
  private let pool: NIOThreadPool

  /// Starts a number of threads.
  package init(count: Int) {
    pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A job runs even if the pool is about to stop: its task would never end.
    pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Ends the threads. All calls must be over.
  package func stop() async throws { try await pool.shutdownGracefully() }
}
