// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime

/// What is told of a song that plays where no picture is drawn: a line at its start, at its
/// markers and its end; and where meters are asked for, one a second.
struct PlainPlay {
  private static let period: Int64 = 1_000_000_000

  private let outline: SongOutline
  private let name: String
  private var meters: PlayMeters?
  private var last: Tick
  private var next: Int64 = 0

  init(_ outline: SongOutline, named name: String, from start: Tick, meters: PlayMeters?) {
    last = start.advanced(by: -1)
    self.outline = outline
    self.name = name
    self.meters = meters
  }

  /// Tells that it begins.
  func begin() {
    Terminal.report("playing \(outline.title), \(Int64(outline.seconds).clockText)")
  }

  /// Tells what has been passed since the last call.
  mutating func update(_ tick: Tick, drift: @autoclosure () -> Double?) {
    if tick < last { last = tick.advanced(by: -1) }
    for marker in outline.markers where marker.tick > last && marker.tick <= tick {
      Terminal.report("\(time(at: marker.tick)) \(marker.name)")
    }
    last = tick
    guard meters != nil, DeadlineWait.now >= next else { return }
    next = DeadlineWait.now + Self.period
    meters?.drift = drift()
    Terminal.say("\(time(at: tick))  \(meters?.numbers ?? "")")
  }

  /// Tells that it is over.
  func end() {
    Terminal.report("\(name): played to its end")
  }

  private func time(at tick: Tick) -> String {
    Int64(outline.seconds(at: min(max(tick, .zero), outline.length))).clockText
  }
}
