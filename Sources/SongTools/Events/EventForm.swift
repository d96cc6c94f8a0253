// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import MusicSequences
internal import MusicalTime

/// A format of event lists.
protocol EventForm {
  /// True if the list contains seconds and bars.
  static var showsTime: Bool { get }
  /// True for text that is shown to the user, false for data.
  static var isText: Bool { get }
  /// Appends the text before all tracks.
  func begin(into out: inout [UInt8])
  /// Appends the text before the events of a track.
  func beginTrack(_ index: Int, into out: inout [UInt8])
  /// Appends one event.
  func append(
    _ event: FileEvent, _ kind: @autoclosure () -> EventKind, _ times: borrowing EventTimes,
    into out: inout [UInt8])
  /// Appends the text after all tracks.
  func end(into out: inout [UInt8])
}

extension EventForm {
  func beginTrack(_ index: Int, into out: inout [UInt8]) {}
  func end(into out: inout [UInt8]) {}
}

/// Tables in the format of midicsv.
///
/// The rows for the structure of the file are always written, whatever the filter is.
struct CSVForm: EventForm {
  static var showsTime: Bool { false }
  static var isText: Bool { false }
  let writer: CSVWriter

  func begin(into out: inout [UInt8]) { writer.appendHeader(to: &out) }

  func beginTrack(_ index: Int, into out: inout [UInt8]) {
    writer.appendStart(ofTrack: index, to: &out)
  }

  @inline(__always)
  func append(
    _ event: FileEvent, _ kind: @autoclosure () -> EventKind, _ times: borrowing EventTimes,
    into out: inout [UInt8]
  ) {
    writer.append(event, to: &out)
  }

  func end(into out: inout [UInt8]) { writer.appendEndOfFile(to: &out) }
}

/// Writes the events of a file that pass a filter.
struct EventListing<Form: EventForm> {
  let events: FileEvents
  let file: SequenceFile
  let filter: EventFilter
  let form: Form

  /// Writes the list to standard output.
  func write() throws(Failure) {
    var out = BlockWriter(isText: Form.isText)
    form.begin(into: &out.bytes)
    if filter.passesAll, !Form.showsTime { try writeAll(&out) } else { try writeWanted(&out) }
    form.end(into: &out.bytes)
    try out.flush()
  }

  private func writeAll(_ out: inout BlockWriter) throws(Failure) {
    let times = EventTimes(try context(ofTrack: 0))
    var track: Int32 = -1
    for event in events {
      if event.track != track {
        track = event.track
        form.beginTrack(Int(track), into: &out.bytes)
      }
      form.append(event, EventKind(event), times, into: &out.bytes)
      try out.pass()
    }
  }

  private func writeWanted(_ out: inout BlockWriter) throws(Failure) {
    var track: Int32 = -1
    var isWanted = false
    var context = try context(ofTrack: 0)
    var ticks = try filter.ticks(in: context)
    var times = EventTimes(context)
    for event in events {
      if event.track != track {
        track = event.track
        isWanted = filter.passes(track: Int(track))
        // Each pattern has separate maps. In other files, one pair of maps is for all tracks.
        if events.format == .pattern {
          context = try self.context(ofTrack: Int(track))
          ticks = try filter.ticks(in: context)
        }
        times = EventTimes(context)
        if isWanted { form.beginTrack(Int(track), into: &out.bytes) }
      }
      guard isWanted else { continue }
      let kind = EventKind(event)
      let isStructure = event.isEndOfTrack && !Form.showsTime
      guard isStructure || ticks.contains(event.tick.value) && filter.passes(event, kind) else {
        continue
      }
      if Form.showsTime { times.move(to: event.tick) }
      form.append(event, kind, times, into: &out.bytes)
      try out.pass()
    }
  }

  /// Returns the context of the sequence that contains a track.
  private func context(ofTrack index: Int) throws(Failure) -> TimeContext {
    let sequences = file.sequences
    let sequence =
      events.format == .pattern && index < sequences.count
      ? sequences[index] : sequences.first ?? MusicSequence(division: events.division)
    do {
      return try TimeContext(of: sequence)
    } catch {
      throw Failure(.badData, "\(error)")
    }
  }
}
