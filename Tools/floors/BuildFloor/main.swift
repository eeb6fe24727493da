import HearthDocumentEngine
import Hearth
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport

// Measures the costs of building an index. Run it in release:
//
//     swift run -c release BuildFloor floor [--documents N] [--rounds N]
//     swift run -c release BuildFloor load [--documents N] [--writes N] [--reads N]
//         [--seconds N] [--max-p99-ms N]
//
// `floor` builds a composite index, then writes the very same batches straight into an empty
// LevelDB with the same syncs, over and over in turns, and prints both.
//
// `load` builds an index beside four writers and four readers that make calls at a fixed rate. It
// prints their waiting times without a build, with one, and with one that gives way to them. Then
// it compares the entries with those of a build at rest, byte for byte.

do {
  let options = try BuildFloorOptions(CommandLine.arguments.dropFirst())
  switch options.mode {
  case .floor: try FloorRun(options).run()
  case .load: try LoadedBuildRun(options).run()
  }
} catch let error as BuildFloorOptions.Misuse {
  print(error.description)
}
