// SPDX-License-Identifier: Apache-2.0

/// What a journal says of one channel: its chapters P, C, M, W, N, E, T and A.
///
/// Source: RFC 6295, appendix A.
package struct ChannelJournal: Hashable, Sendable {
  /// The program, and the bank that it is of (P).
  package struct Program: Hashable, Sendable {
    package var program: JournalValue
    /// The bank's controllers 0 and 32; nil where none came before the program.
    package var bank: Bank?
  }

  /// A bank's two numbers.
  package struct Bank: Hashable, Sendable {
    package var high: UInt8
    package var low: UInt8
  }

  /// How a log says what became of a controller.
  package enum Tool: Hashable, Sendable {
    /// By its value.
    case value
    /// By how often it went from off to on or back, modulo 64.
    case toggles
    /// By how often it came, modulo 64.
    case count
  }

  /// A controller (C).
  package struct Control: Hashable, Sendable {
    package var number: JournalValue
    package var tool: Tool
    package var value: UInt8
  }

  /// A registered or other parameter (M).
  package struct Parameter: Hashable, Sendable {
    package var number: ParameterNumber
    package var isNew: Bool
    /// Data entry, controllers 6 and 38.
    package var entryHigh: UInt8?
    package var entryLow: UInt8?
    /// Increments less decrements since the entry.
    package var steps: Int?
  }

  /// All parameters (M).
  package struct Parameters: Hashable, Sendable {
    package var isNew: Bool
    /// The high half of a number whose low half has not come.
    package var pending: PendingParameter?
    /// Whether the last log is of the parameter that is chosen now.
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

  /// A note that sounds (N).
  package struct Note: Hashable, Sendable {
    package var key: JournalValue
    package var velocity: UInt8
    /// Whether it is to be played still.
    package var isRecent: Bool
  }

  /// Notes (N).
  package struct Notes: Hashable, Sendable {
    package var logs: [Note]
    /// Keys that were released, bit 0 is key 0.
    package var released: UInt128
    package var isReleaseNew: Bool
  }

  /// A release's velocity, or how often a note was begun (E).
  package struct Extra: Hashable, Sendable {
    package var key: JournalValue
    package var isVelocity: Bool
    package var value: UInt8
  }

  /// A key's pressure (A).
  package struct KeyPressure: Hashable, Sendable {
    package var key: JournalValue
    package var pressure: UInt8
  }

  /// 0…15.
  package var channel: UInt8
  package var program: Program?
  package var controls: [Control] = []
  package var parameters: Parameters?
  /// The bend's first octet with the mark, and its second.
  package var bend: Bend?
  package var notes: Notes?
  package var extras: [Extra] = []
  package var pressure: JournalValue?
  package var keyPressures: [KeyPressure] = []

  /// A place of the pitch wheel (W).
  package struct Bend: Hashable, Sendable {
    package var low: JournalValue
    package var high: UInt8
  }

  /// Creates an empty one.
  package init(channel: UInt8) { self.channel = channel }

  /// Whether the packet just before has any of it.
  var isNew: Bool {
    program?.program.isNew ?? false || controls.contains { $0.number.isNew }
      || parameters?.isNew ?? false || bend?.low.isNew ?? false
      || (notes.map { $0.isReleaseNew || $0.logs.contains { $0.key.isNew } } ?? false)
      || extras.contains { $0.key.isNew } || pressure?.isNew ?? false
      || keyPressures.contains { $0.key.isNew }
  }

  /// Whether nothing is told.
  var isEmpty: Bool {
    program == nil && controls.isEmpty && parameters == nil && bend == nil && notes == nil
      && extras.isEmpty && pressure == nil && keyPressures.isEmpty
  }
}

/// The number of a parameter.
package struct ParameterNumber: Hashable, Sendable {
  /// Whether controllers 99 and 98 name it, not 101 and 100.
  package var isUnregistered: Bool
  package var high: UInt8
  package var low: UInt8

  /// Whether it stands for none.
  var isNull: Bool { high == 127 && low == 127 }
}

/// The high half of a parameter's number.
package struct PendingParameter: Hashable, Sendable {
  package var isUnregistered: Bool
  package var high: UInt8
}
