/// An invalid command line; exit status 2.
struct UsageError: Error, CustomStringConvertible {
  let description: String
}
