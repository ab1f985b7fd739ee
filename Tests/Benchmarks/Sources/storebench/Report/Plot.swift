import Foundation

/// Draws the rows as an SVG bar chart: the speedup of each over its baseline, on a logarithmic scale, and its target.
///
///     P1  users: JSON into an empty store       1 ├──────────┤ 9.3 ×   ┆ 20
///
/// Bars to the right of 1 are cheaper than the baseline, bars to the left more expensive. Colors have medium lightness,
/// so that the chart is readable on light and dark backgrounds.
func plot(of rows: [Row]) -> String {
  Plot(rows).svg
}

private struct Plot {
  private struct Bar {
    let label: String
    let speedup: Double
    let targets: [Double]
    let isMet: Bool?
  }

  private static let lineHeight = 18.0
  private static let scaleWidth = 520.0
  private static let margin = 12.0
  private static let top = 40.0

  private let bars: [Bar]
  /// An estimate, because the fonts of the viewer are unknown.
  private let labelWidth: Double
  /// The powers of ten at the ends of the scale.
  private let lowest: Double
  private let highest: Double

  init(_ rows: [Row]) {
    bars = rows.compactMap { row in
      guard let speedup = row.speedup, let ours = row.measurement.ours else { return nil }
      return Bar(
        label: "\(row.id)  \(row.what)", speedup: speedup,
        targets: row.targets.map { $0.speedup(ours: ours, reached: speedup) },
        isMet: row.measurement.sidesAgree ? row.isMet : false)
    }
    labelWidth = Double(bars.map(\.label.count).max() ?? 0) * 6.2 + Self.margin * 2
    let values = bars.flatMap { [$0.speedup] + $0.targets }
    lowest = min(log10(values.min() ?? 1).rounded(.down), 0)
    highest = max(log10(values.max() ?? 1).rounded(.up), 1)
  }

  var svg: String {
    let height = Self.top + Double(bars.count) * Self.lineHeight + Self.margin
    let width = labelWidth + Self.scaleWidth + 90
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(text(width))" height="\(text(height))" \
      viewBox="0 0 \(text(width)) \(text(height))" font-family="system-ui, sans-serif" font-size="12">
      """,
      """
      <style>
        text { fill: #555 } .grid { stroke: #888; stroke-opacity: .35 } .one { stroke: #888 }
        .met { fill: #2f9e63 } .missed { fill: #d9622b } .free { fill: #5b86c9 }
        .target { stroke: #222; stroke-width: 2 }
        @media (prefers-color-scheme: dark) { text { fill: #bbb } .target { stroke: #eee } }
      </style>
      """,
      """
      <text x="\(text(Self.margin))" y="16">times cheaper than the baseline; a tick is the target; \
      green met, orange missed, blue without one</text>
      """,
    ]
    lines += grid(height: height)
    for (index, bar) in bars.enumerated() { lines += drawing(of: bar, line: index) }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  private func grid(height: Double) -> [String] {
    (Int(lowest)...Int(highest)).flatMap { power in
      let x = text(position(pow(10, Double(power))))
      return [
        """
        <line class="\(power == 0 ? "one" : "grid")" x1="\(x)" x2="\(x)" \
        y1="\(text(Self.top - 4))" y2="\(text(height - Self.margin))"/>
        """,
        """
        <text x="\(x)" y="\(text(Self.top - 8))" text-anchor="middle">\
        \(significantDigits(pow(10, Double(power))))</text>
        """,
      ]
    }
  }

  private func drawing(of bar: Bar, line: Int) -> [String] {
    let y = Self.top + Double(line) * Self.lineHeight
    let ends = [position(1), position(bar.speedup)].sorted()
    let middle = text(y + 12.5)
    let kind = bar.isMet.map { $0 ? "met" : "missed" } ?? "free"
    let ticks = bar.targets.map { target in
      let x = text(position(target))
      return """
        <line class="target" x1="\(x)" x2="\(x)" y1="\(text(y + 1))" y2="\(text(y + 16))"/>
        """
    }
    let labelEnd = max(ends[1], bar.targets.map(position).max() ?? 0) + 6
    return [
      "<text x=\"\(text(Self.margin))\" y=\"\(middle)\">\(escaped(bar.label))</text>",
      """
      <rect class="\(kind)" x="\(text(ends[0]))" y="\(text(y + 3))" \
      width="\(text(max(ends[1] - ends[0], 1)))" height="11"/>
      """,
    ] + ticks + [
      """
      <text x="\(text(labelEnd))" y="\(middle)">\(significantDigits(bar.speedup)) ×</text>
      """
    ]
  }

  private func position(_ speedup: Double) -> Double {
    labelWidth + (log10(speedup) - lowest) / (highest - lowest) * Self.scaleWidth
  }

  /// Formats a coordinate with a precision of a tenth of a pixel.
  private func text(_ value: Double) -> String {
    "\((value * 10).rounded() / 10)"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension Target {
  /// The position of the target on the scale of speedups.
  fileprivate func speedup(ours: Double, reached: Double) -> Double {
    switch self {
    case .timesFaster(let factor): factor
    case .timesTheCost(let factor): 1 / factor
    case .atMost(let limit): reached * ours / limit
    }
  }
}
