/// Formats a cost with a suitable unit: `31.4 ns`, `2.05 µs`, `324 B`, `67.1 MB`.
func costText(_ cost: Double, in unit: CostUnit) -> String {
  switch unit {
  case .bytes:
    if abs(cost) < 1e4 { return significantDigits(cost) + " B" }
    if abs(cost) < 1e6 { return significantDigits(cost / 1e3) + " kB" }
    return significantDigits(cost / 1e6) + " MB"
  case .nanoseconds:
    if cost < 1e3 { return significantDigits(cost) + " ns" }
    if cost < 1e6 { return significantDigits(cost / 1e3) + " µs" }
    if cost < 1e9 { return significantDigits(cost / 1e6) + " ms" }
    return significantDigits(cost / 1e9) + " s"
  }
}

/// Formats a number with about three digits, but with all digits before the point: `0.004`, `1.58`, `31.4`, `1290`.
func significantDigits(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
  let places = abs(value) < 0.0995 ? 4 : abs(value) < 9.995 ? 2 : abs(value) < 99.95 ? 1 : 0
  let scale = [1, 10, 100, 1_000, 10_000][places]
  let scaled = Int((abs(value) * Double(scale)).rounded())
  var text = "\(scaled / scale)"
  let fraction = scaled % scale
  if fraction > 0 {
    let digits = "\(fraction)"
    text += "." + String(repeating: "0", count: places - digits.count) + digits
    while text.last == "0" { text.removeLast() }
  }
  return (value < 0 ? "-" : "") + text
}
