// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MIDIMessages

extension ValueTransform {
  /// The syntax, for the help.
  static let grammar =
    "+10, -10, 50%, min40, max100, 64 (always 64), off (drop), 36=35/38=40 (replace values),"
    + " curve0=20/64=100/127=127 (straight lines between points); several, separated by commas,"
    + " apply in order"

  /// Reads changes separated by commas.
  ///
  /// - Parameters:
  ///   - text: The changes.
  ///   - limit: The highest value: 127, the default, or 16383.
  ///   - first: The number of the value 0 for the user: 0, the default, or 1.
  ///   - named: Returns the value with a name; by default, values do not have names.
  /// - Throws: `ValidationError` if the text is not valid.
  package init(
    parsing text: String, limit: UInt16 = 127, first: UInt16 = 0,
    named: @escaping (String) -> UInt16? = { _ in nil }
  ) throws {
    let read = { (text: Substring) in UInt16(text) ?? named(String(text)) }
    let steps = try text.split(separator: ",", omittingEmptySubsequences: false).map {
      try Self(step: String($0), limit: limit, first: first, read)
    }
    self = steps.count == 1 ? steps[0] : .sequence(steps)
  }

  private init(
    step: String, limit: UInt16, first: UInt16, _ read: (Substring) -> UInt16?
  ) throws {
    func number(_ text: Substring) -> UInt16? {
      read(text).flatMap { $0 >= first && $0 - first <= limit ? $0 - first : nil }
    }
    if step == "off" {
      self = .drop
    } else if step.hasSuffix("%"), let percent = Int(step.dropLast()),
      (0...10_000).contains(percent)
    {
      self = .scale(by4096ths: (percent * 4096 + 50) / 100)
    } else if step.hasPrefix("min"), let floor = number(step.dropFirst(3)) {
      self = .atLeast(floor)
    } else if step.hasPrefix("max"), let ceiling = number(step.dropFirst(3)) {
      self = .atMost(ceiling)
    } else if step.hasPrefix("+") || step.hasPrefix("-"), let distance = Int(step) {
      self = .add(distance)
    } else if let value = number(step[...]) {
      self = .sequence([.atLeast(value), .atMost(value)])
    } else if step.hasPrefix("curve"), let points = Self.points(step.dropFirst(5), first, read) {
      self = .map(Self.curve(points))
    } else if let points = Self.points(step[...], first, read) {
      var table = (0...127).map { UInt8($0) }
      for (from, to) in points { table[Int(from)] = to }
      self = .map(table)
    } else {
      throw ValidationError("change '\(step)': expected \(Self.grammar)")
    }
  }

  /// Reads pairs separated by slashes: `0=20/127=100`; nil for other text.
  private static func points(
    _ text: Substring, _ first: UInt16, _ read: (Substring) -> UInt16?
  ) -> [(from: UInt8, to: UInt8)]? {
    var points: [(from: UInt8, to: UInt8)] = []
    for pair in text.split(separator: "/", omittingEmptySubsequences: false) {
      let ends = pair.split(separator: "=", omittingEmptySubsequences: false).map(read)
      guard ends.count == 2, let from = ends[0], let to = ends[1],
        (first...first + 127).contains(from), (first...first + 127).contains(to)
      else { return nil }
      points.append((UInt8(from - first), UInt8(to - first)))
    }
    return points
  }

  /// A table of straight lines between points, constant outside of them.
  private static func curve(_ points: [(from: UInt8, to: UInt8)]) -> [UInt8] {
    let points = points.sorted { $0.from < $1.from }
    return (0...127).map { (value: Int) in
      let next = points.firstIndex { $0.from >= value } ?? points.count
      guard next < points.count else { return points[points.count - 1].to }
      guard next > 0 else { return points[0].to }
      let (before, after) = (points[next - 1], points[next])
      let span = Int(after.from) - Int(before.from)
      let rise = (Int(after.to) - Int(before.to)) * (value - Int(before.from))
      // Rounded to the nearest, halves up.
      let doubled = 2 * Int(before.to) * span + 2 * rise + span
      return UInt8(doubled / (2 * span))
    }
  }
}
