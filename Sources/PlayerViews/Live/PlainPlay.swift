// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
package import MusicalTime
package import PlayerControl
internal import Realtime

/// The messages about a song without a live display: at its start, its markers and its end, and,
/// with `--meters`, once per second.
///
/// It also reports the markers in JSON output.
package struct PlainPlay {
  private static let period: Int64 = 1_000_000_000

  private let outline: SongOutline
  private let name: String
  /// True if only requested messages are printed.
  private let isQuiet: Bool
  /// True if `--to` ends the song before its end.
  private let isCut: Bool
  /// True if only a part of the song is played.
  private let isPart: Bool
  private let start: Tick
  private var meters: PlayMeters?
  private var last: Tick
  private var next: Int64 = 0

  package init(
    _ outline: SongOutline, named name: String, from start: Tick, isCut: Bool = false,
    isPart: Bool = false, meters: PlayMeters?, isQuiet: Bool
  ) {
    (self.start, self.isCut, self.isPart) = (start, isCut, isPart)
    last = start.advanced(by: -1)
    self.outline = outline
    self.name = name
    self.meters = meters
    self.isQuiet = isQuiet
  }

  /// Reports the start of the song, with its length or the part that is played: `0:57 to 1:11`.
  package func begin() {
    if isQuiet { return }
    let end = outline.seconds.lengthText
    let range = isPart ? "\(time(at: start)) to \(end)" : end
    Terminal.report("playing \(outline.heading), \(range)")
  }

  /// Reports markers passed since the last call, and the meters if they are due.
  package mutating func update(_ tick: Tick, drift: @autoclosure () -> Double?) {
    if tick < last { last = tick.advanced(by: -1) }
    for marker in outline.markers where marker.tick > last && marker.tick <= tick {
      if !isQuiet { Terminal.report("\(time(at: marker.tick)) \(marker.name)") }
      JSONReport.tell(
        "marker",
        [
          ("marker", .text(marker.name)),
          ("time-pos", .decimal(outline.seconds(at: marker.tick).decimal(3))),
        ])
    }
    last = tick
    guard meters != nil, DeadlineWait.now >= next else { return }
    next = DeadlineWait.now + Self.period
    meters?.drift = drift()
    Terminal.say("\(time(at: tick))  \(meters?.numbers ?? "")")
  }

  /// Reports that the song, or the part of it, is over.
  package func end() {
    guard !isQuiet else { return }
    let end = isCut ? "stopped at \(time(at: outline.length))" : "played to the end"
    Terminal.report("\(name): \(end)")
  }

  private func time(at tick: Tick) -> String {
    Int64(outline.seconds(at: min(max(tick, .zero), outline.length))).clockText
  }
}
