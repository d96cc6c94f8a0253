// SPDX-License-Identifier: Apache-2.0
import MusicalTime

extension ScoreDraft {
  /// A tempo in quarter notes per minute, with decimals.
  func tempo(_ token: ScoreToken) throws(ScoreError) -> Tempo {
    try tempo(Substring(token.text), of: token)
  }

  func tempo(_ text: Substring, of token: ScoreToken) throws(ScoreError) -> Tempo {
    let allowed = "quarter notes per minute, 4…4000, as in 96 or 132.5"
    guard let beats = Self.decimal(text, digits: 3), (4_000...4_000_000).contains(beats) else {
      throw ScoreError(token, "is not a tempo", allowed: allowed)
    }
    // Rounded to the nearest microsecond, the unit in files.
    let length = Int((60_000_000_000 + beats / 2) / beats)
    guard let tempo = Tempo(microsecondsPerQuarter: length) else {
      throw ScoreError(token, "is not a tempo", allowed: allowed)
    }
    return tempo
  }

  /// A number with up to `digits` decimals, multiplied by ten to that power.
  static func decimal(_ text: Substring, digits: Int) -> Int64? {
    let isNegative = text.first == "-"
    let parts = (isNegative ? text.dropFirst() : text).split(
      separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts[0].count <= 9, !parts[0].isEmpty,
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } })
    else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.count <= digits else { return nil }
    let padded = fraction + String(repeating: "0", count: digits - fraction.count)
    guard let value = Int64(parts[0] + padded) else { return nil }
    return isNegative ? -value : value
  }

  func meter(_ token: ScoreToken) throws(ScoreError) -> TimeSignature {
    let fields = token.text.split(separator: "/", omittingEmptySubsequences: false)
    do {
      guard fields.count == 2, let beats = Int(fields[0]), let unit = Int(fields[1]) else {
        throw TimeError.badMeter(numerator: 0, denominator: 0)
      }
      return try TimeSignature(numerator: beats, denominator: unit)
    } catch {
      throw ScoreError(
        token, "is not a meter", allowed: "beats and note value, as in 4/4 or 7/8")
    }
  }

  private static let circle = [
    "Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#",
  ]

  func key(
    _ rest: ArraySlice<ScoreToken>, of head: ScoreToken
  ) throws(ScoreError) -> (tick: Int64, sharps: Int8, isMinor: Bool) {
    let allowed = "a tonic, then minor for a minor key: 'key Eb' or 'key F# minor'"
    guard let tonic = rest.first, rest.count <= 2,
      let place = Self.circle.firstIndex(of: tonic.text) ?? Self.minorOnly[tonic.text]
    else { throw ScoreError(rest.first ?? head, "is not a key", allowed: allowed) }
    let isMinor = rest.count == 2
    if let mode = rest.last, isMinor, mode.text != "minor" {
      throw ScoreError(mode, "is not a mode", allowed: allowed)
    }
    let sharps = place - 7 - (isMinor ? 3 : 0)
    guard (-7...7).contains(sharps) else {
      throw ScoreError(tonic, "has more than seven sharps or flats", allowed: allowed)
    }
    return (0, Int8(sharps), isMinor)
  }

  private static let minorOnly = ["G#": 15, "D#": 16, "A#": 17]

  /// True if a bar begins at a tick, by the meters read so far.
  func isBarLine(_ tick: Int64) -> Bool {
    let earlier = meters.filter { $0.tick <= tick }
    let start = earlier.map(\.tick).max() ?? 0
    let signature = earlier.last { $0.tick == start }?.signature ?? .common
    let bar = ticksPerWhole * Int64(signature.numerator) / Int64(signature.denominator)
    return bar > 0 && (tick - start) % bar == 0
  }
}
