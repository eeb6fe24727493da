# Prints the first error in a test's output on one line, without its place and the test's name.
found && (/^\// || /^Test / || /error: /) { exit }
!found && (at = index($0, "error: ")) {
  found = 1
  $0 = substr($0, at + 7)
  sub(/^[A-Za-z]+\.[A-Za-z_]+ : /, "")
}
found { printf "%s%s", (lines++ ? " " : ""), $0 }
END { if (found) print "" }
