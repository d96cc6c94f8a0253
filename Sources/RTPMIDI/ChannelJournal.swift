// SPDX-License-Identifier: Apache-2.0

/// The part of a journal for one channel: its chapters P, C, M, W, N, E, T and A.
///
/// Source: RFC 6295, appendix A.
package struct ChannelJournal: Hashable, Sendable {
  /// The program and its bank (P).
  package struct Program: Hashable, Sendable {
    package var program: JournalValue
    /// The values of controllers 0 and 32; nil if none was sent before the program.
    package var bank: Bank?
  }

  /// The two numbers of a bank.
  package struct Bank: Hashable, Sendable {
    package var high: UInt8
    package var low: UInt8
  }

  /// The form in which a controller's changes are described.
  package enum Tool: Hashable, Sendable {
    /// The value.
    case value
    /// The number of changes between off and on, modulo 64.
    case toggles
    /// The number of messages, modulo 64.
    case count
  }

  /// A controller (C).
  package struct Control: Hashable, Sendable {
    package var number: JournalValue
    package var tool: Tool
    package var value: UInt8
  }

  /// A registered or non-registered parameter (M).
  package struct Parameter: Hashable, Sendable {
    package var number: ParameterNumber
    package var isNew: Bool
    /// The values of data entry, controllers 6 and 38.
    package var entryHigh: UInt8?
    package var entryLow: UInt8?
    /// The number of increments minus decrements since the last data entry.
    package var steps: Int?
  }

  /// All parameters (M).
  package struct Parameters: Hashable, Sendable {
    package var isNew: Bool
    /// The high half of a parameter number whose low half was not sent yet.
    package var pending: PendingParameter?
    /// True if the last log is for the currently selected parameter.
    package var isChosen: Bool
    package var logs: [Parameter]

    /// The last log of each parameter, in order.
    ///
    /// A correct journal has one log for each parameter.
    var latest: [Parameter] {
      var seen: Set<ParameterNumber> = []
      return logs.reversed().filter { seen.insert($0.number).inserted }.reversed()
    }
  }

  /// A sounding note (N).
  package struct Note: Hashable, Sendable {
    package var key: JournalValue
    package var velocity: UInt8
    /// True if the note should still be played.
    package var isRecent: Bool
  }

  /// The notes (N).
  package struct Notes: Hashable, Sendable {
    package var logs: [Note]
    /// The released keys; bit n is key n.
    package var released: UInt128
    package var isReleaseNew: Bool
  }

  /// The velocity of a release, or the number of times that a note was begun (E).
  package struct Extra: Hashable, Sendable {
    package var key: JournalValue
    package var isVelocity: Bool
    package var value: UInt8
  }

  /// The pressure of a key (A).
  package struct KeyPressure: Hashable, Sendable {
    package var key: JournalValue
    package var pressure: UInt8
  }

  /// The channel, 0…15.
  package var channel: UInt8
  package var program: Program?
  package var controls: [Control] = []
  package var parameters: Parameters?
  /// The pitch bend.
  package var bend: Bend?
  package var notes: Notes?
  package var extras: [Extra] = []
  package var pressure: JournalValue?
  package var keyPressures: [KeyPressure] = []

  /// A position of the pitch wheel (W).
  package struct Bend: Hashable, Sendable {
    package var low: JournalValue
    package var high: UInt8
  }

  /// Creates an empty part.
  package init(channel: UInt8) { self.channel = channel }

  /// True if the previous packet changed any of it.
  var isNew: Bool {
    program?.program.isNew ?? false || controls.contains { $0.number.isNew }
      || parameters?.isNew ?? false || bend?.low.isNew ?? false
      || (notes.map { $0.isReleaseNew || $0.logs.contains { $0.key.isNew } } ?? false)
      || extras.contains { $0.key.isNew } || pressure?.isNew ?? false
      || keyPressures.contains { $0.key.isNew }
  }

  /// True if it does not contain anything.
  var isEmpty: Bool {
    program == nil && controls.isEmpty && parameters == nil && bend == nil && notes == nil
      && extras.isEmpty && pressure == nil && keyPressures.isEmpty
  }
}

/// The number of a parameter.
package struct ParameterNumber: Hashable, Sendable {
  /// True for NRPN (controllers 99 and 98), false for RPN (controllers 101 and 100).
  package var isUnregistered: Bool
  package var high: UInt8
  package var low: UInt8

  /// True for the null parameter, which means that no parameter is selected.
  var isNull: Bool { high == 127 && low == 127 }
}

/// The high half of a parameter's number.
package struct PendingParameter: Hashable, Sendable {
  package var isUnregistered: Bool
  package var high: UInt8
}
