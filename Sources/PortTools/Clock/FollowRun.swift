// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// The work of following and showing a clock in its run loop, until the user or a time limit ends
/// it.
struct FollowRun: RunLoopBody {
  /// The interval at which the clock is shown, in nanoseconds.
  private static let period: Int64 = 5_000_000
  /// The same with a web page, which extrapolates.
  private static let webPeriod: Int64 = 20_000_000

  let clock: Transport
  let source: SyncSource
  /// The song whose maps the clock has; nil for those of the source.
  let song: String?
  var context: TimeContext
  /// Keeps the port connected; nil for other sources.
  let keeper: PortKeeper?
  /// The web page that shows the clock; nil for none.
  let web: WebClock?
  /// The live view; nil if `show` shows the clock.
  var picture: LiveClock?
  /// The time at which it ends, in nanoseconds of the monotonic clock; nil for no limit.
  let end: Int64?
  let show: (ClockSnapshot, TimeContext) throws -> Void
  /// The edition of a served clock's maps.
  private var edition: UInt32 = 0

  init(
    clock: Transport, source: SyncSource, song: String?, context: TimeContext,
    keeper: PortKeeper?, web: WebClock?, picture: LiveClock?, end: Int64?,
    show: @escaping (ClockSnapshot, TimeContext) throws -> Void
  ) {
    self.clock = clock
    self.source = source
    self.song = song
    self.context = context
    self.keeper = keeper
    self.web = web
    self.picture = picture
    self.end = end
    self.show = show
  }

  var descriptors: [Int32] {
    (keeper?.descriptors ?? []) + (picture?.frame.display.descriptors ?? [])
      + (web?.descriptors ?? [])
  }

  var deadline: Int64? {
    min(DeadlineWait.now + (web == nil ? Self.period : Self.webPeriod), end ?? .max)
  }

  mutating func turn() throws -> Bool {
    guard DeadlineWait.now < end ?? .max else { return false }
    try keeper?.update().told()
    if let failure = clock.failure { throw failure }
    let snapshot = clock.snapshot
    if song == nil, snapshot.servedEdition != edition {
      edition = snapshot.servedEdition
      try takeMaps()
    }
    web?.update(scene(snapshot))
    if let isEnded = picture?.update(snapshot, context) { return !isEnded }
    try show(snapshot, context)
    return true
  }

  func stop(by signals: SignalWatch) {
    picture?.frame.display.leave()
    signals.pause()
    picture?.frame.display.enter()
  }

  private func scene(_ snapshot: ClockSnapshot) -> WebScene {
    WebScene(
      clock: snapshot, context: context, title: song ?? source.name,
      source: song == nil ? "" : source.name, markers: context.orderedMarkers)
  }

  /// Reads the current maps of a served clock.
  private mutating func takeMaps() throws {
    let state = try source.reader().read().value
    context.meterMap = try state.meterMap()
    let map = try state.tempoMap()
    guard map != context.tempoMap else { return }
    context.tempoMap = map
    try clock.setTempoMap(map)
  }
}
