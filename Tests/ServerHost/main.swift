import Foundation
import HearthServer

// A server over databases in memory, for clients outside of this package: it prints the number of
// its port, and serves until its standard input ends.
let server = try await HearthServer(databases: MemoryDatabases()).start(port: 0)
FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
while readLine() != nil {}
await server.stop()
