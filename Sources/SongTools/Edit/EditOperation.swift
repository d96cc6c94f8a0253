// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CommandKit
internal import JSONText
internal import MIDIMessages
package import MusicSequences
package import MusicalTime
internal import PlayerControl

/// An operation of `edit` with its values.
package enum EditOperation {
  case clear
  case cut
  case copy(to: EditPlace)
  case merge(to: EditPlace)
  case move(EditDistance)
  case insertTime(EditDistance, at: EditPlace?)
  case deleteTime
  case transpose(Int, drums: Bool, folds: Bool)
  case scaleTime(Ratio)
  case quantize(EditDistance, strength: Ratio, swing: Ratio, ends: Bool)
  case velocity(VelocityCurve)
  case split
  case join
  case reverse
  case retime(Tempo)
  case tempo(Tempo)
  case channelValue(HeldValue, channels: UInt16)
  case deleteTrack
  case unroll(until: EditPlace?)
  case format(MusicSequence.Format, PatternArrangement)

  package init(_ words: inout EditWords) throws {
    switch words.name {
    case "clear": self = .clear
    case "cut": self = .cut
    case "copy": self = .copy(to: try EditPlace(parsing: words.requireSetting("to", "to=5|1")))
    case "merge": self = .merge(to: try EditPlace(parsing: words.requireSetting("to", "to=5|1")))
    case "move": self = .move(try EditDistance(&words, "a distance (+1/4, -120t)"))
    case "insert-time":
      let distance = try EditDistance(&words, "a distance (4/4, 480t)")
      self = .insertTime(distance, at: try words.takeSetting("at").map(EditPlace.init(parsing:)))
    case "delete-time": self = .deleteTime
    case "transpose": self = try Self.transpose(&words)
    case "scale-time":
      let factor = try EditNumber.ratio(words.takeValue("a factor (2, 3/2, 50%)"))
      guard factor > 0 else {
        throw ValidationError("scale-time \(factor): the factor must be above 0")
      }
      self = .scaleTime(factor)
    case "quantise", "quantize": self = try Self.quantize(&words)
    case "velocity":
      self = .velocity(try VelocityCurve(parsing: words.takeValue("a change (90%, +10, =100)")))
    case "tempo": self = .tempo(try EditNumber.tempo(words.takeValue("a tempo (120bpm)")))
    case "program": self = try Self.program(&words)
    case "volume": self = try Self.volume(&words)
    case "delete-track": self = .deleteTrack
    case "unroll":
      self = .unroll(until: try words.takeSetting("until").map(EditPlace.init(parsing:)))
    case "split": self = .split
    case "join": self = .join
    case "reverse": self = .reverse
    case "retime": self = .retime(try EditNumber.tempo(words.takeValue("a tempo (120bpm)")))
    case "format": self = try Self.format(&words)
    default: throw Self.unknown(words.name)
    }
  }

  /// Returns the error for an unknown operation, with a suggestion.
  private static func unknown(_ name: String) -> ValidationError {
    let near = NearestNames.nearest(to: name, among: EditExample.all.map(\.name))
    let advice = near.map { "did you mean \($0)?" } ?? "use \(EditExample.names)"
    return ValidationError("unknown operation (\(advice))")
  }

  /// Reads a program.
  ///
  /// The drum channel is changed only if it is named.
  private static func program(_ words: inout EditWords) throws -> EditOperation {
    let channels = try words.takeSetting("channel").map(PortChannels.channels(in:))
    let areDrums = channels == 1 << Channel.percussion.index
    let program = try ProgramWords.program(
      words.takeValues("a program (41, violin)"), on: Channel(index: areDrums ? 9 : 0))
    let music = UInt16.max & ~(1 << Channel.percussion.index)
    return .channelValue(.program(program), channels: channels ?? music)
  }

  private static func volume(_ words: inout EditWords) throws -> EditOperation {
    let channels = try words.takeSetting("channel").map(PortChannels.channels(in:))
    let text = try words.takeValue("a volume (0…127) or a change (-6dB, 50%)")
    return .channelValue(try volume(parsing: text), channels: channels ?? .max)
  }

  /// Reads a volume, 0…127, or a change in decibels or per cent.
  ///
  /// A number with a sign is in decibels.
  private static func volume(parsing text: String) throws -> HeldValue {
    if let volume = UInt8(text), !text.hasPrefix("+") {
      guard volume <= 127 else {
        throw ValidationError(
          "volume '\(text)': not in 0…127 (for a change, write a sign or a unit: -6dB)")
      }
      return .volume(volume)
    }
    let hint = "volume '\(text)': use a volume, 0…127, or a change (-6dB, 50%)"
    let hasUnit = text.hasSuffix("%") || text.lowercased().hasSuffix("db")
    guard hasUnit || text.hasPrefix("-") || text.hasPrefix("+") else { throw ValidationError(hint) }
    let gain = try Gain(parsing: text)
    guard gain.factor > 0 else { throw ValidationError(hint) }
    return .volumeChange(factor: Double(gain.factor).squareRoot())
  }

  private static func transpose(_ words: inout EditWords) throws -> EditOperation {
    let drums = words.takeFlag("drums")
    let folds = words.takeFlag("fold")
    let text = try words.takeValue("a number of semitones (+2, -12)")
    guard let semitones = Int(text), (-127...127).contains(semitones) else {
      throw ValidationError("transpose '\(text)': not a whole number in -127…127")
    }
    return .transpose(semitones, drums: drums, folds: folds)
  }

  private static func quantize(_ words: inout EditWords) throws -> EditOperation {
    let ends = words.takeFlag("ends")
    let grid = try EditDistance(&words, "a grid (1/16, 1/8t, 120t)", isGrid: true)
    let strength = try words.takeSetting("strength").map(EditNumber.ratio) ?? 1
    let swing = try words.takeSetting("swing").map(EditNumber.ratio) ?? Ratio(1, over: 2)
    guard grid.isAboveZero else {
      throw ValidationError("the grid must be longer than 0 (try 1/16)")
    }
    guard strength >= 0, strength <= 1 else {
      throw ValidationError("strength= must be in 0%…100%")
    }
    guard swing > 0, swing < 1 else {
      throw ValidationError("swing= must be between 0% and 100% (50% is straight, 67% triplets)")
    }
    return .quantize(grid, strength: strength, swing: swing, ends: ends)
  }

  private static func format(_ words: inout EditWords) throws -> EditOperation {
    let isTogether = words.takeFlag("together")
    let text = try words.takeValue("a format (0, 1 or 2)")
    guard let number = UInt16(text), let format = MusicSequence.Format(rawValue: number) else {
      throw ValidationError("format '\(text)': not 0, 1 or 2")
    }
    return .format(format, isTogether ? .together : .inOrder)
  }
}
