/// A command line that cannot be understood; exit status 2.
struct UsageError: Error, CustomStringConvertible {
  let description: String
}
