// SPDX-License-Identifier: Apache-2.0
package import JSONText
package import MIDIMessages
package import MusicSequences
package import MusicalTime

/// The arguments of a command: texts and numbers, each checked when it is read.
package struct ControlWords {
  package let verb: String
  package let usage: String
  package let values: [JSONValue]

  /// The command that lists all commands and properties.
  static let help = "downbeat ctl --help lists them"

  package var count: Int { values.count }

  /// Throws an error if the number of arguments is outside a range.
  package func check(_ range: ClosedRange<Int>) throws(ControlError) {
    guard !range.contains(count) else { return }
    if verb == "loop", count == 1, let word = values[0].scalarText, ["off", "no"].contains(word) {
      throw ControlError(.usage, "loop: needs two times (to end the loop: no-loop)")
    }
    throw refusal(
      range.upperBound == 0 ? "does not take a value" : "wrong number of arguments: \(count)")
  }

  package func refusal(_ reason: String) -> ControlError {
    ControlError(.usage, "\(verb): \(reason) (\(verb) \(usage))".replacing(" )", with: ")"))
  }

  /// The text of an argument, or the digits of a number.
  package func text(_ index: Int) throws(ControlError) -> String {
    guard let text = values[index].scalarText else {
      throw refusal("must be a string or a number")
    }
    return text
  }

  package func whole(_ index: Int, _ range: ClosedRange<Int>) throws(ControlError) -> Int {
    let text = try text(index)
    guard let number = Int(text.hasPrefix("+") ? String(text.dropFirst()) : text),
      range.contains(number)
    else {
      throw refusal("'\(text)' is not a whole number in \(range.lowerBound)…\(range.upperBound)")
    }
    return number
  }

  package func flag(_ index: Int) throws(ControlError) -> Bool {
    switch values[index] {
    case .bool(let flag): return flag
    case .text("yes"), .text("true"): return true
    case .text("no"), .text("false"): return false
    default: throw refusal("must be yes or no")
    }
  }

  package func property(_ index: Int) throws(ControlError) -> ControlProperty {
    let name = try text(index)
    guard let property = ControlProperty(rawValue: name) else {
      let names = ControlProperty.allCases.map(\.rawValue)
      let near = NearestNames.nearest(to: name, among: names).map { "did you mean \($0)?" }
      throw refusal("unknown property '\(name)'; \(near ?? Self.help)")
    }
    return property
  }

  /// Reads a time, which may be followed by `absolute` or `relative`.
  package func time(_ index: Int) throws(ControlError) -> SeekTime {
    guard count > index + 1 else { return try SeekTime(parsing: text(index)) }
    switch try text(index + 1) {
    case "absolute": return try SeekTime(parsing: text(index), isRelative: false)
    case "relative": return try SeekTime(parsing: text(index), isRelative: true)
    case let word: return try time(index, in: word)
    }
  }

  /// Reads a time in two words: `bar 33`, `90 s`.
  private func time(_ index: Int, in unit: String) throws(ControlError) -> SeekTime {
    let text = "\(try text(index)) \(unit)"
    do {
      return try SeekTime(parsing: text)
    } catch {
      throw refusal("'\(unit)' is neither absolute nor relative")
    }
  }

  /// Reads channels: a text counted from 1, as in options, or numbers counted from 0, with 16 for
  /// each port.
  package func channels(_ index: Int, orNone: Bool = false) throws(ControlError) -> PortChannels {
    switch values[index] {
    case .text(let text) where orNone && (text.isEmpty || text == "none"): return .none
    case .text(let text):
      do {
        return try PortChannels(parsing: text)
      } catch {
        throw refusal("\(error)")
      }
    case .array(let list):
      guard orNone || !list.isEmpty else { throw refusal("a channel is missing") }
      var indices: [Int] = []
      for value in list { indices.append(try channelIndex(value)) }
      return PortChannels(indices: indices)
    case let value: return PortChannels(indices: [try channelIndex(value)])
    }
  }

  private func channelIndex(_ value: JSONValue) throws(ControlError) -> Int {
    let count = 16 * TrackPorts.limit
    guard case .decimal(let digits) = value, let index = Int(digits), (0..<count).contains(index)
    else {
      throw refusal(
        "a channel must be a number in 0…\(count - 1) (16 per port), or a text such as \"2,10\","
          + " which counts from 1")
    }
    return index
  }

  /// Reads one channel of an instrument.
  package func channel(_ index: Int) throws(ControlError) -> Channel {
    let channels = try channels(index).indices()
    let isText = if case .text = values[index] { true } else { false }
    // A channel in a text without a port means that channel of every port.
    let own = isText ? channels.filter { $0 < 16 } : channels
    guard own.count == 1, own[0] < 16, channels.allSatisfy({ $0 & 15 == own[0] }) else {
      throw refusal("must be one channel")
    }
    return Channel(index: UInt8(own[0]))
  }

  /// Reads a program: a text, as in options, with a number from 1 or a name; or a number from 0.
  package func program(_ index: Int, on channel: Channel) throws(ControlError) -> UInt8 {
    guard case .text(let text) = values[index] else { return UInt8(try whole(index, 0...127)) }
    do {
      return try ProgramWords.program(text, on: channel)
    } catch {
      throw refusal(error.description)
    }
  }

  package func speed(_ index: Int) throws(ControlError) -> Ratio {
    let text = try text(index)
    do {
      let speed = try Ratio(factor: text)
      guard speed >= PlayControls.slowest, speed <= PlayControls.fastest else {
        throw refusal("'\(text)' is not a speed in 0.1…8")
      }
      return speed
    } catch let refusal as ControlError {
      throw refusal
    } catch {
      throw refusal("'\(text)' is not a factor or a percentage, such as 1.5 or 80%")
    }
  }

  /// Reads a tempo in quarter notes per minute.
  package func tempo(_ index: Int) throws(ControlError) -> Tempo {
    let text = try text(index)
    guard let tempo = Tempo(asked: text) else {
      throw refusal("'\(text)' is not a tempo from 1.4 to 999, such as 97.5")
    }
    return tempo
  }

  /// Reads decibels: a number, or a gain as text, such as `-3dB` or `50%`.
  package func decibels(_ index: Int) throws(ControlError) -> Double {
    let range = PlayControls.softest...PlayControls.loudest
    let text = try text(index)
    let decibels: Double?
    if case .text = values[index] {
      do {
        decibels = max(range.lowerBound, try Gain(parsing: text).decibels)
      } catch {
        throw refusal("'\(text)' is not a gain, such as -3dB or 50%")
      }
    } else {
      decibels = Double(text)
    }
    guard let decibels, range.contains(decibels) else {
      throw refusal("'\(text)' is outside −60…12 dB")
    }
    return decibels
  }
}
