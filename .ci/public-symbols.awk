# Lists what a symbol graph says a module makes public, a line each:
#
#   ObjectStore struct List               a name at the top of the module
#   ObjectStore extension String.mapKey   a member given to another module's type
#   ObjectStore bare List.first           a declaration without a docstring
#
# Names that begin with an underscore are nobody's business. The graph is as -pretty-print leaves it:
# a symbol begins and ends four spaces in, its parts stand six, what they hold eight.
#
# -v module=ObjectStore

function text(line) {  # what stands between the quotation marks
  sub(/^ *"/, "", line)
  sub(/",?$/, "", line)
  return line
}

/^    [{]$/ { kind = name = part = ""; count = hidden = documented = written = 0 }
/^      "/ { part = $1 }
part == "\"kind\":" && /^        "identifier"/ { kind = $2; gsub(/"swift\.|",/, "", kind) }
part == "\"pathComponents\":" && /^        "/ {
  name = name (count++ ? "." : "") text($0)
  if (text($0) ~ /^_/) hidden = 1
}
part == "\"docComment\":" { documented = 1 }
part == "\"location\":" { written = 1 }  # else the compiler made it
/^    [}]/ && count && !hidden && written {
  if (FILENAME ~ /@/) print module, "extension", name
  else if (count == 1) print module, kind, name
  if (!documented) print module, "bare", name
}
