// SPDX-License-Identifier: Apache-2.0
public import Downbeat
public import MusicSequences
public import MusicalTime

/// A target position that is given as text: a time from the beginning, or, with a sign, a time
/// relative to the current position.
///
/// Every time format is supported.
public struct SeekTime: Hashable, Sendable {
  /// The sign and the text after it; nil for a time from the beginning.
  private let sign: Character?
  private let text: String

  /// Parses a text such as `1:30`, `33.1.0` or `@chorus`, or, relative to the current position,
  /// `+10` or `-4|0|0`.
  ///
  /// - Parameters:
  ///   - text: The time; a number without a unit is in seconds.
  ///   - isRelative: True if the time is relative to the current position; nil if a sign makes it
  ///     relative.
  /// - Throws: `ControlError.Kind.usage` if the text is not a time.
  public init(parsing text: String, isRelative: Bool? = nil) throws(ControlError) {
    let first = text.first
    let isSigned = first == "+" || first == "-"
    if isRelative ?? isSigned {
      sign = isSigned ? first : "+"
      self.text = isSigned ? String(text.dropFirst()) : text
    } else {
      sign = nil
      self.text = first == "+" ? String(text.dropFirst()) : text
    }
    do {
      _ = try expression(from: "0t")
    } catch {
      throw ControlError(.usage, "time '\(text)': \(error.reason)")
    }
  }

  /// Creates a position in microseconds from the beginning.
  package init(microseconds: Int64) {
    sign = nil
    text = Ratio(microseconds, over: 1_000_000).decimal(6) + "s"
  }

  private func expression(from here: String) throws(TimeError) -> TimeExpression {
    let whole = sign.map { "\(here) \($0) \(text)" } ?? text
    return try TimeExpression(whole, bareNumbersAs: .seconds)
  }

  /// Returns the first tick at or after the position, limited to the song.
  ///
  /// - Parameters:
  ///   - here: The current position, for a relative time.
  ///   - sequence: The song.
  ///   - decoder: The decoder for the names of markers.
  /// - Returns: The tick.
  /// - Throws: `ControlError.Kind.usage` for a position that the song does not have, such as an
  ///   unknown marker.
  public func tick(
    from here: Tick, in sequence: MusicSequence, _ decoder: TextDecoder
  ) throws(ControlError) -> Tick {
    try target(from: here, in: sequence, decoder).tick
  }

  /// Returns the first tick at or after the position, limited to the song.
  ///
  /// - Parameters:
  ///   - here: The current position, for a relative time.
  ///   - sequence: The song.
  ///   - decoder: Decodes the names of markers.
  /// - Returns: The tick, and true for a position past the end of the song.
  /// - Throws: `ControlError.Kind.usage` for a position that the song does not have.
  package func target(
    from here: Tick, in sequence: MusicSequence, _ decoder: TextDecoder
  ) throws(ControlError) -> (tick: Tick, isPastEnd: Bool) {
    do {
      let context = try sequence.timeContext { decoder.text($0.bytes) }
      let tick = try tick(from: here, in: context)
      return (min(max(tick, .zero), sequence.length), tick > sequence.length)
    } catch {
      throw refusal(error)
    }
  }

  /// The message about a position past the end.
  ///
  /// - Parameter seconds: The end, to which the player has moved.
  /// - Returns: The message.
  static func pastEnd(_ seconds: Double) -> String {
    "past the end; now at \(Int64(seconds).clockText)"
  }

  /// Returns the first tick at or after the position, for a clock.
  ///
  /// - Parameters:
  ///   - here: The current position, for a relative time.
  ///   - context: The tempo map and the meter map of the clock.
  /// - Returns: The tick, which may be negative.
  /// - Throws: `ControlError.Kind.usage` for a position that the clock does not have.
  public func tick(from here: Tick, countingIn context: TimeContext) throws(ControlError) -> Tick {
    do {
      return try tick(from: here, in: context)
    } catch {
      throw refusal(error)
    }
  }

  private func tick(from here: Tick, in context: TimeContext) throws(TimeError) -> Tick {
    try context.firstTick(of: context.position(of: expression(from: "\(here.value)t")))
  }

  /// Returns the position in a sound, in seconds.
  ///
  /// The result may be before the start or after the end of the sound. Bars and beats are converted
  /// with 4/4 at 120 quarter notes per minute.
  ///
  /// - Parameters:
  ///   - here: The current position in seconds, for a relative time.
  ///   - length: The length in seconds; nil if it is not known.
  ///   - rate: The sample rate of the sound.
  /// - Returns: The position in seconds.
  /// - Throws: `ControlError.Kind.usage` for a position that the sound does not have.
  public func seconds(from here: Double, of length: Double?, rate: SampleRate) throws(ControlError)
    -> Double
  {
    do {
      var context = try MusicSequence().timeContext(findingMarkers: false)
      context.sampleRate = rate
      let milliseconds = length.map { Ratio(Int64(nearest: $0 * 1000), over: 1000) }
      context.length = try milliseconds.map { try context.firstTick(of: .seconds($0)) }
      let place = try context.position(of: expression(from: "\(here.decimal(6))s"))
      return try context.seconds(of: place).approximation
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ error: any Error) -> ControlError {
    ControlError(.usage, "time '\(sign.map(String.init) ?? "")\(text)': \(error)")
  }
}
