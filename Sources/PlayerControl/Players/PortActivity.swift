// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import Realtime

/// The activity of each channel: program, held notes, and velocity of the last note.
package struct PortActivity {
  /// The time in which a note fades from the display, in nanoseconds.
  package static let decay = 1.0e9
  package static let heldLevel = 0.3

  package struct Row {
    package var program: UInt8 = 0
    package var held = Set<UInt8>()
    package var velocity: UInt8 = 0
    package var time: Int64 = 0
    package var isUsed = false
  }

  package private(set) var rowsOfAll = [Row](repeating: Row(), count: 16)
  /// The number of notes struck so far.
  package private(set) var noteCount = 0

  package init() {}

  /// Records received events.
  package mutating func take(_ events: borrowing HostEventBuffer) {
    for event in events.events {
      if case .message(let message) = event.payload { take(message) }
    }
  }

  /// Records the message of a channel.
  package mutating func take(_ message: Message) {
    if let channel = message.channel { take(message, Int(channel.index)) }
  }

  /// Releases all held notes.
  mutating func letGo() {
    for index in rowsOfAll.indices { rowsOfAll[index].held = [] }
  }

  /// The program of each channel.
  package var programs: [UInt8] { rowsOfAll.map(\.program) }

  private mutating func take(_ message: Message, _ index: Int) {
    var row = rowsOfAll[index]
    defer { rowsOfAll[index] = row }
    row.isUsed = true
    switch message.kind {
    case .noteOn(_, let key, let velocity) where velocity > 0:
      noteCount += 1
      row.held.insert(key.number)
      (row.velocity, row.time) = (velocity, DeadlineWait.now)
    case .noteOn(_, let key, _), .noteOff(_, let key, _): row.held.remove(key.number)
    case .program(_, let program): row.program = program
    default: break
    }
  }

  /// The channels on which events have arrived.
  package var channels: [Channel] { Channel.all.filter { rowsOfAll[Int($0.index)].isUsed } }
}
