# Lists the public declarations in the symbol graph of a module, one per line:
#
#   ObjectStore struct List               a declaration at the top level
#   ObjectStore extension String.mapKey   a member added to another module's type
#   ObjectStore bare List.first           a declaration without a docstring of its own
#
# A docstring that a declaration inherits from a protocol of another module does not count: it describes
# `==` in general and not this implementation.
#
# Names that begin with an underscore are omitted. The graph must be pretty-printed: a symbol is indented
# by four spaces, its members by six, their contents by eight.
#
# -v module=ObjectStore

function text(line) {  # the text between the quotation marks
  sub(/^ *"/, "", line)
  sub(/",?$/, "", line)
  return line
}

/^    [{]$/ { kind = name = part = ""; count = hidden = documented = inherited = written = 0 }
/^      "/ { part = $1 }
part == "\"kind\":" && /^        "identifier"/ { kind = $2; gsub(/"swift\.|",/, "", kind) }
part == "\"pathComponents\":" && /^        "/ {
  name = name (count++ ? "." : "") text($0)
  if (text($0) ~ /^_/) hidden = 1
}
part == "\"docComment\":" && /^        "module"/ { inherited = text($2) != module }
part == "\"docComment\":" { documented = 1 }
part == "\"location\":" { written = 1 }  # otherwise the compiler synthesized the symbol
/^    [}]/ && count && !hidden && written {
  if (FILENAME ~ /@/) print module, "extension", name
  else if (count == 1) print module, kind, name
  if (!documented || inherited) print module, "bare", name
}
