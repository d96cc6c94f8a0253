// SPDX-License-Identifier: Apache-2.0
package import Downbeat
package import MusicSequences
package import MusicalTime

/// A place in a song as a person or a program names it: a time in any format, counted from the
/// beginning, or with a sign before it from where the song is.
package struct SeekTime: Hashable {
  /// The sign, and what follows it; without a sign it is counted from the beginning.
  private let sign: Character?
  private let text: String

  /// Reads a text: `1:30`, `33.1.0`, `@chorus`; `+10`, `-4|0|0`.
  ///
  /// - Parameters:
  ///   - text: the time; a bare number is seconds.
  ///   - isRelative: whether it is counted from where the song is; nil where the sign decides.
  /// - Throws: `ControlError.Kind.usage` where the text has no meaning in any song.
  package init(parsing text: String, isRelative: Bool? = nil) throws(ControlError) {
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
      throw ControlError(.usage, "time '\(text)': \(error)")
    }
  }

  /// A place so many microseconds after the beginning.
  package init(microseconds: Int64) {
    sign = nil
    text = Ratio(microseconds, over: 1_000_000).decimal(6) + "s"
  }

  private func expression(from here: String) throws(TimeError) -> TimeExpression {
    let whole = sign.map { "\(here) \($0) \(text)" } ?? text
    return try TimeExpression(whole, bareNumbersAs: .seconds)
  }

  /// The first tick at or after the place; one outside the song is its beginning or its end.
  ///
  /// - Parameters:
  ///   - here: the tick that a relative time is counted from.
  ///   - sequence: the song.
  ///   - decoder: decodes the names of markers.
  /// - Returns: the tick.
  /// - Throws: `ControlError.Kind.usage` if the text has no meaning in the song.
  package func tick(
    from here: Tick, in sequence: MusicSequence, _ decoder: TextDecoder
  ) throws(ControlError) -> Tick {
    do {
      let context = try sequence.timeContext { decoder.text($0.bytes) }
      return min(max(try tick(from: here, in: context), .zero), sequence.length)
    } catch {
      throw refusal(error)
    }
  }

  /// The first tick at or after the place where a clock counts.
  ///
  /// - Throws: `ControlError.Kind.usage` where the text has no meaning there.
  package func tick(from here: Tick, countingIn context: TimeContext) throws(ControlError) -> Tick {
    do {
      return try tick(from: here, in: context)
    } catch {
      throw refusal(error)
    }
  }

  private func tick(from here: Tick, in context: TimeContext) throws(TimeError) -> Tick {
    try context.firstTick(of: context.position(of: expression(from: "\(here.value)t")))
  }

  /// The seconds from the beginning of a sound to the place, which may lie outside; music is
  /// counted at 120 quarter notes a minute.
  ///
  /// - Parameters:
  ///   - here: where the sound is, in seconds.
  ///   - length: how long it is, in seconds; nil where that is not known.
  ///   - rate: its own rate.
  /// - Returns: the seconds.
  /// - Throws: `ControlError.Kind.usage` where the text has no meaning in the sound.
  package func seconds(from here: Double, of length: Double?, rate: SampleRate) throws(ControlError)
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
