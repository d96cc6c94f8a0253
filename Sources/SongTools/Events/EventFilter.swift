// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// The options that choose the events to list.
struct EventFilterOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "List only these tracks, such as 1,3-5; the first is 1.")
  var track: String?

  @Option(
    parsing: .unconditional, help: "List only messages on these channels, such as 1,10 or 2-4.")
  var channel: String?

  @Option(
    help: """
      List only these kinds: noteOn, control, tempo, lyric … or groups: note, channel, pressure, \
      texts, meta, sysex.
      """)
  var kind: String?

  @Option(
    parsing: .unconditional,
    help: "List events from this time on: 12.1.0, 1:23.5, 90s, 1920t, 50%, @marker.")
  var from: String?

  @Option(parsing: .unconditional, help: "List only events before this time.")
  var to: String?

  /// Returns the filter of these options.
  func filter() throws -> EventFilter {
    EventFilter(
      tracks: try track.map { try Self.numbers($0, "track", 1...65_535) },
      channels: try channel.map { try Self.numbers($0, "channel", 1...16) },
      kinds: try kind.map(Self.kinds), from: try from.map(Self.time), to: try to.map(Self.time))
  }

  private static func numbers(
    _ text: String, _ name: String, _ range: ClosedRange<Int>
  ) throws -> [ClosedRange<Int>] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      let numbers = ends.compactMap { Int($0) }
      guard numbers.count == ends.count, (1...2).contains(ends.count),
        numbers[0] <= numbers[numbers.count - 1], numbers.allSatisfy(range.contains)
      else {
        throw ValidationError(
          "\(name) '\(part)': not a number or range in \(range.lowerBound)-\(range.upperBound)")
      }
      return numbers[0]...numbers[numbers.count - 1]
    }
  }

  private static func kinds(_ text: String) throws -> Set<EventKind> {
    var kinds: Set<EventKind> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let named = EventKind.named(String(word)) else {
        let names = EventKind.allCases.map(\.rawValue).joined(separator: " ")
        throw ValidationError(
          "kind '\(word)': unknown (use \(names), or note channel pressure texts meta sysex)")
      }
      kinds.formUnion(named)
    }
    return kinds
  }

  private static func time(_ text: String) throws -> TimeExpression {
    do {
      return try TimeExpression(text, bareNumbersAs: .seconds)
    } catch {
      throw ValidationError("time '\(text)': \(error.reason)")
    }
  }
}

/// A choice of events.
///
/// Its times are resolved for each sequence of a file.
struct EventFilter {
  let tracks: [ClosedRange<Int>]?
  let channels: [ClosedRange<Int>]?
  let kinds: Set<EventKind>?
  let from: TimeExpression?
  let to: TimeExpression?

  /// True if every event passes.
  var passesAll: Bool {
    tracks == nil && channels == nil && kinds == nil && from == nil && to == nil
  }

  /// Returns true if a track passes.
  ///
  /// Its index counts from 0.
  func passes(track index: Int) -> Bool {
    tracks?.contains { $0.contains(index + 1) } ?? true
  }

  /// Returns true if an event passes.
  ///
  /// The track and the time are not checked.
  func passes(_ event: FileEvent, _ kind: EventKind) -> Bool {
    if let kinds, !kinds.contains(kind) { return false }
    guard let channels else { return true }
    guard let channel = event.channel else { return false }
    return channels.contains { $0.contains(channel.number) }
  }

  /// Returns the range of ticks to list from a sequence.
  func ticks(in context: TimeContext) throws(Failure) -> Range<Int64> {
    let start = try from.map { expression throws(Failure) in try tick(expression, context) } ?? 0
    let end = try to.map { expression throws(Failure) in try tick(expression, context) } ?? .max
    return start..<max(start, end)
  }

  private func tick(
    _ expression: TimeExpression, _ context: TimeContext
  ) throws(Failure) -> Int64 {
    do {
      let context = context.adopting(expression)
      return try context.firstTick(of: context.position(of: expression)).value
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }
}
