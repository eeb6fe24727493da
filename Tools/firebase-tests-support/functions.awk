# Prints the functions of a Swift file that is indented by two spaces, one per line: the type that
# contains it (or "-"), its name, its first and its last line, separated by tabs.
/^([a-z]+ )*(class|struct|enum|actor|extension|protocol) [A-Za-z_]/ {
  type = $0
  sub(/^([a-z]+ )*(class|struct|enum|actor|extension|protocol) /, "", type)
  sub(/[^A-Za-z0-9_].*/, "", type)
}
/^}/ && name == "" { type = "-" }
name == "" && /^(  )?(@?[A-Za-z]+ )*(func [A-Za-z_]|init[(<])/ {
  indent = match($0, /[^ ]/) - 1
  name = $0
  if (!sub(/^.*func /, "", name)) name = "init"
  sub(/[^A-Za-z0-9_].*/, "", name)
  first = NR
}
name != "" && (index($0, (indent ? "  " : "") "}") == 1 || (NR == first && /}$/)) {
  print (indent ? type : "-") "\t" name "\t" first "\t" NR
  name = ""
}
BEGIN { type = "-" }
