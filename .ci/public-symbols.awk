# Lists what a symbol graph says a module makes public, a line each:
#
#   ObjectStore struct List               a name at the top of the module
#   ObjectStore extension String.mapKey   a member given to another module's type
#   ObjectStore bare List.first           a declaration without a docstring of its own
#
# A docstring that a declaration inherits from another module's protocol names that module: it says
# what `==` is and not what it costs here, and does not count.
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

/^    [{]$/ { kind = name = part = ""; count = hidden = documented = inherited = written = 0 }
/^      "/ { part = $1 }
part == "\"kind\":" && /^        "identifier"/ { kind = $2; gsub(/"swift\.|",/, "", kind) }
part == "\"pathComponents\":" && /^        "/ {
  name = name (count++ ? "." : "") text($0)
  if (text($0) ~ /^_/) hidden = 1
}
part == "\"docComment\":" && /^        "module"/ { inherited = text($2) != module }
part == "\"docComment\":" { documented = 1 }
part == "\"location\":" { written = 1 }  # else the compiler made it
/^    [}]/ && count && !hidden && written {
  if (FILENAME ~ /@/) print module, "extension", name
  else if (count == 1) print module, kind, name
  if (!documented || inherited) print module, "bare", name
}
