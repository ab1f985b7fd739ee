/// An optional whose wrapped type is unknown, inside `Any`.
protocol OptionalBox {
  var boxed: Any? { get }
}

extension Optional: OptionalBox {
  var boxed: Any? { map { $0 as Any } }
}
