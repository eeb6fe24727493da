import SourceStructure

// Prints the report on the checkout in the folder given.
let checkout = Checkout(root: CommandLine.arguments.dropFirst().first ?? ".")
let report = StructureReport(try checkout.textFiles(in: ["Sources", "Tools"]))
for line in report.lines { print(line) }
