// A library that is preloaded into a process. It replaces the system's calls that write and sync
// LevelDB's logs, and the calls that read files. It does one of three things, by the environment.
//
// KILL_AT_WRITE=N and KILL_AFTER_PERMILLE=P: at the N-th write to a log, counted from 1, it writes
// only that part of the bytes and kills the process.
//
// UNREADABLE=NAME: files whose names begin with NAME can't be read, as on a disk that fails.
//
// SYNC_TRACE=FILE: it records in the file the order in which logs are written and synced, and lines
// are written to the standard output:
//
//   write 000003.log    bytes were written to the log
//   begin 000003.log    a sync of the log begins
//   end 000003.log      that sync has succeeded
//   say 0 17            the line is about to be written to the standard output
//
// A completed event is recorded after it, and a coming one before it. So an `end` before a `say`
// was complete before any reader could see the line.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;
static atomic_long log_write_count;

static void record(const char *event, const char *subject, size_t count) {
  if (!getenv("SYNC_TRACE")) return;
  char line[512];
  int length = snprintf(line, sizeof line, "%s %.*s\n", event, (int)count, subject);
  if (length <= 0 || length >= (int)sizeof line) abort();
  pthread_mutex_lock(&lock);
  if (trace == -1) {
    trace = open(getenv("SYNC_TRACE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  // Without the record a test would pass that has seen no event.
  if (syscall(SYS_write, trace, line, (size_t)length) != length) abort();
  pthread_mutex_unlock(&lock);
}

// Returns the name of a descriptor's file, or NULL if there is none.
static const char *file_name(int descriptor, char path[512]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, 511);
  if (length < 0) return NULL;
  path[length] = 0;
  return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

// Returns the name of a descriptor's log, or NULL if the file is no log.
static const char *log_name(int descriptor, char path[512]) {
  const char *name = file_name(descriptor, path);
  size_t length = name ? strlen(name) : 0;
  return length >= 4 && memcmp(name + length - 4, ".log", 4) == 0 ? name : NULL;
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  static ssize_t (*next)(int, void *, size_t, off_t);
  if (!next) next = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
  const char *unreadable = getenv("UNREADABLE");
  char path[512];
  const char *name = unreadable ? file_name(descriptor, path) : NULL;
  if (name && strncmp(name, unreadable, strlen(unreadable)) == 0) {
    errno = EIO;
    return -1;
  }
  return next(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (descriptor == STDOUT_FILENO) {
    size_t line = count > 0 && ((const char *)bytes)[count - 1] == '\n' ? count - 1 : count;
    record("say", bytes, line);
    return next(descriptor, bytes, count);
  }
  char path[512];
  const char *name = log_name(descriptor, path);
  const char *last = getenv("KILL_AT_WRITE");
  if (name && last && atomic_fetch_add(&log_write_count, 1) + 1 == atol(last)) {
    const char *permille = getenv("KILL_AFTER_PERMILLE");
    next(descriptor, bytes, permille ? count * (size_t)atol(permille) / 1000 : 0);
    kill(getpid(), SIGKILL);
  }
  ssize_t written = next(descriptor, bytes, count);
  if (name && written > 0) record("write", name, strlen(name));
  return written;
}

static int recording_sync(int descriptor, int (*sync)(int)) {
  char path[512];
  const char *name = log_name(descriptor, path);
  if (name) record("begin", name, strlen(name));
  int result = sync(descriptor);
  if (name && result == 0) record("end", name, strlen(name));
  return result;
}

int fdatasync(int descriptor) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  return recording_sync(descriptor, next);
}

int fsync(int descriptor) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return recording_sync(descriptor, next);
}
