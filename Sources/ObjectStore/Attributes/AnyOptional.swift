/// An optional whose wrapped type is unknown, inside `Any`.
protocol AnyOptional {
  var unwrapped: Any? { get }
}

extension Optional: AnyOptional {
  var unwrapped: Any? { map { $0 as Any } }
}
