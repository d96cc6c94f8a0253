// SPDX-License-Identifier: Apache-2.0
internal import JSONText
package import MusicSequences
package import MusicalTime

/// A time in an option; its meaning may depend on the song.
///
/// A number without a unit is in seconds.
package struct SongTime: CustomStringConvertible {
  private let text: String
  private let expression: TimeExpression

  package init(parsing text: String) throws {
    self.text = text
    expression = try TimeExpression(text, bareNumbersAs: .seconds)
  }

  /// The time as it was typed, safe to print.
  package var description: String { Printable.text(text) }

  /// The time from the beginning of a sequence, in nanoseconds, rounded to the nearest.
  package func nanoseconds(in sequence: MusicSequence) throws -> Int64 {
    do {
      let context = try TimeContext(of: sequence)
      let seconds = try context.seconds(of: context.position(of: expression))
      return try (seconds * 1_000_000_000).rounded(.nearest).value
    } catch {
      throw Failure(.usage, "time '\(text)': \(error)")
    }
  }

  /// The first tick of a sequence at or after the time.
  package func tick(in sequence: MusicSequence) throws -> Tick {
    do {
      let context = try TimeContext(of: sequence)
      let tick = try context.firstTick(of: context.position(of: expression))
      guard tick >= .zero else {
        throw Failure(.usage, "time '\(text)': is before the beginning of the song")
      }
      return tick
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.usage, "time '\(text)': \(error)")
    }
  }

  /// The frame nearest to the time, from the beginning of a sequence.
  package func frame(in sequence: MusicSequence, rate: SampleRate) throws -> Int64 {
    do {
      var context = try TimeContext(of: sequence)
      context.sampleRate = rate
      let seconds = try context.seconds(of: context.position(of: expression))
      let frames = try seconds * Ratio(Int64(rate.hertz))
      guard frames >= 0 else {
        throw Failure(.usage, "time '\(text)': is before the beginning")
      }
      return try frames.rounded(.nearest).value
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.usage, "time '\(text)': \(error)")
    }
  }
}
