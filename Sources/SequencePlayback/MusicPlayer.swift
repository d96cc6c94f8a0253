// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// An event source that plays a sequence, with times from any clock.
///
/// The player stores the next tick, never a host time, so it does not depend on the kind of clock
/// (internal or a master). After a move to another position, the player restores the state that
/// every channel would have if the sequence had been played up to there, with as few messages as
/// possible.
///
/// - Note: Owned by the event thread, or by the owner of the scheduler when rendering offline.
public final class MusicPlayer: EventSource {
  /// The sequence that is played, prepared for playback.
  public private(set) var score: PlayerScore
  /// True to restart notes that are sounding at the new position after a move; false by default.
  public var restartsHeldNotes = false
  /// The kind of device that plays the events, which determines the initial values of settings; a
  /// device at a port by default.
  public var device = StateDevice.published
  /// True to play to the end of the longest track; false (the default) to end with the last note.
  public var playsToEnd = false
  /// The state in which a previous song left the destinations; nil if they are in their initial
  /// state.
  ///
  /// At its first start, the player restores all settings that the previous song has changed.
  public var stateLeft: LeftState?
  /// The number of scores that were played before the current one, as in the `generation` of
  /// events.
  public private(set) var generation: UInt32 = 0

  private var cursor: SequenceCursor
  private var automation: AutomationRun
  private var strikes = StrikeLog()
  private var isRunning = false
  /// True after the end of the longest track was emitted.
  private var isEndEmitted = false
  /// The tick whose state the destinations have; nil if they are in their initial state.
  private var standing: Tick?
  private var interruption = ChaseState.Interruption.none
  private var loopJump: ChaseMessages?

  /// Creates a player at the start of a score.
  public init(_ score: PlayerScore) {
    self.score = score
    cursor = score.chase.cursor
    automation = AutomationRun(score.sequence.division)
  }

  /// Creates a player at the start of a sequence.
  ///
  /// - Throws: `SequenceError.outOfRange` if the total time does not fit into 64 bits.
  public convenience init(_ sequence: MusicSequence) throws(SequenceError) {
    self.init(try PlayerScore(sequence))
  }

  /// True if all events have been emitted.
  ///
  /// The last one is at the end of sound or, if `playsToEnd` is true, at the end of the longest
  /// track.
  public var isFinished: Bool {
    guard let next = cursor.nextTick else { return isEndEmitted || !playsToEnd }
    return !playsToEnd && score.end.map { next > $0 } ?? false
  }

  /// Appends the events that are due in a window to a buffer, in the order in which they must be
  /// sent.
  public func emit(
    _ window: ReferenceWindow, along timeline: Timeline<Tick, ReferenceTime>,
    into buffer: inout EventBuffer
  ) {
    let limit = Tick(timeline.firstCount(atOrAfter: window.upperBound))
    emitEvents(before: limit, of: window, along: timeline, into: &buffer)
    guard playsToEnd, !isEndEmitted, score.length < limit else { return }
    isEndEmitted = true
    let time = max(timeline.timeRoundedUp(atCount: score.length.value), window.lowerBound)
    buffer.append(
      TimedEvent(
        time: time, payload: .fact(.ended(score.length)), track: TimedEvent.noTrack,
        generation: generation))
  }

  private func emitEvents(
    before limit: Tick, of window: ReferenceWindow,
    along timeline: Timeline<Tick, ReferenceTime>, into buffer: inout EventBuffer
  ) {
    func time(of tick: Tick) -> ReferenceTime {
      max(timeline.timeRoundedUp(atCount: tick.value), window.lowerBound)
    }
    while true {
      let tick = automation.nextTick
      if let event = cursor.next(before: min(limit, tick ?? limit)) {
        append(event, time: time(of: event.tick), to: &buffer)
        guard case .parameter = event.kind, let ramp = score.ramps.ramp(from: event) else {
          continue
        }
        let end = automation.begin(ramp)
        buffer.append(step(ramp, to: end, at: time(of: event.tick), along: timeline))
      } else if let tick, tick < limit {
        automation.step { buffer.append(step($0, to: $1, at: time(of: tick), along: timeline)) }
      } else {
        return
      }
    }
  }

  /// One step of a ramp: a linear change from the current value to the value at the end of the
  /// step.
  private func step(
    _ ramp: AutomationRamp, to end: Tick, at time: ReferenceTime,
    along timeline: Timeline<Tick, ReferenceTime>
  ) -> TimedEvent {
    var change = ramp.goal
    change.value = ramp.value(at: end)
    let arrival = timeline.timeRoundedUp(atCount: end.value)
    change.glide = UInt32(clamping: arrival.nanoseconds(since: time))
    return TimedEvent(
      time: time, payload: .parameter(change), track: UInt16(clamping: ramp.track),
      index: UInt32(clamping: ramp.index), generation: generation)
  }

  private func append(_ event: CursorEvent, time: ReferenceTime, to buffer: inout EventBuffer) {
    let isTempo = Int(event.track) == score.sequence.tracks.count
    var timed = TimedEvent(
      time: time, payload: .fact(.event(tick: event.tick)),
      track: isTempo ? TimedEvent.noTrack : UInt16(clamping: event.track),
      index: UInt32(clamping: event.index), generation: generation, port: event.port)
    guard event.isPlayed else { return }
    switch event.kind {
    case .message(let message):
      if let release = event.release { strikes.add(event, message, release, at: time) }
      timed.payload = .message(message)
      buffer.append(timed)
    case .sysEx(let place):
      appendPart(of: event, timed, to: &buffer)
      append(timed, sysEx: place, of: event.track, to: &buffer)
    case .meta, .user: buffer.append(timed)
    case .parameter:
      buffer.append(timed)
      guard let change = score.parameterChange(event) else { break }
      timed.payload = .parameter(change)
      buffer.append(timed)
    case .packet(let place):
      appendPart(of: event, timed, to: &buffer)
      append(timed, packet: place, of: event.track, to: &buffer)
    }
  }

  /// Appends the part of a SysEx message in packets that is sent with an event.
  private func appendPart(
    of event: CursorEvent, _ timed: TimedEvent, to buffer: inout EventBuffer
  ) {
    let track = score.sequence.tracks[Int(event.track)]
    guard let (place, part) = track.sysExPart(at: Int(event.index)) else { return }
    var timed = timed
    timed.payload = .sysExPart(place, part)
    append(timed, sysEx: place, of: event.track, to: &buffer)
  }

  /// Ends a SysEx message of which parts were sent and that will not continue.
  private func breakOffSysEx(at time: ReferenceTime, into buffer: inout EventBuffer) {
    let nothing = PayloadRange(offset: 0, count: 0)
    for (track, port) in score.divided where port < TrackPorts.limit {
      buffer.append(
        TimedEvent(
          time: time, payload: .sysExPart(nothing, .abandoned), track: track, port: port))
    }
  }

  /// Appends the messages of an escape.
  private func append(
    _ event: TimedEvent, packet place: PayloadRange, of track: Int32, to buffer: inout EventBuffer
  ) {
    let source = score.sequence.tracks[Int(track)]
    let bytes = source.payloadBytes
    let end = Int(place.offset) + Int(place.count)
    var index = Int(place.offset)
    var event = event
    while index < end, let (message, count) = Message.first(in: bytes, from: index, before: end) {
      event.payload = .message(message)
      buffer.append(event)
      index += count
    }
  }

  private func append(
    _ event: TimedEvent, sysEx place: PayloadRange, of track: Int32, to buffer: inout EventBuffer
  ) {
    let source = score.sequence.tracks[Int(track)]
    let end = Int(place.offset) + Int(place.count)
    buffer.append(event, sysEx: source.payloadBytes.extracting(Int(place.offset)..<end))
  }
}

extension MusicPlayer {
  /// Moves to a position.
  ///
  /// If the transport runs, the messages that restore the state of all channels are sent.
  public func locate(
    to position: TransportPosition, by move: TransportMove, into buffer: inout EventBuffer
  ) {
    switch move {
    case .stop:
      strikes.close(at: position.time)
      stand(at: position.tick)
      interruption = .cut
      isRunning = false
    case .loop(let end):
      wrap(from: end, to: position, into: &buffer)
    case .start:
      isRunning = true
      go(to: position, into: &buffer)
    case .locate, .skip:
      if isRunning, interruption == .none { interruption = .released }
      go(to: position, into: &buffer)
    }
  }

  /// Returns the player to a position from which events were cancelled, so that it emits them
  /// again.
  ///
  /// Releases of notes that sound at the position are also emitted again.
  public func rewind(to position: TransportPosition) {
    seek(to: position.tick)
    stand(at: position.tick)
    strikes.rewind(to: position)
    strikes.forEachSounding(at: position) { cursor.hold($0) }
  }

  /// Informs the player that events before a position cannot be cancelled any more, so that it can
  /// discard records of notes that have ended.
  public func settle(before position: TransportPosition) {
    strikes.settle(before: position)
  }

  /// Appends the messages that change an instrument from its initial state to the current state of
  /// the song.
  ///
  /// Before the first start, messages are not appended, because that start sends the complete
  /// state.
  public func appendState(at position: TransportPosition, into buffer: inout EventBuffer) {
    guard standing != nil else { return }
    send(
      ChaseMessages(to: position.tick, in: score, after: .nothing, on: device),
      at: position.time, into: &buffer)
  }

  /// Replaces the score during playback, for example after an edit.
  ///
  /// Call it at an instant at which the scheduler was interrupted. If the new score contains a
  /// sounding note at the same tick, and its track is audible, the note continues until its new
  /// end; otherwise it is released. If the edit changes the state of channels, the changes are
  /// sent.
  ///
  /// - Parameters:
  ///   - score: On input the new score, on output the old one.
  ///   - position: The position of the transport, to which the player was rewound.
  ///   - buffer: The list to which events are appended.
  public func swap(
    _ score: inout PlayerScore, at position: TransportPosition, into buffer: inout EventBuffer
  ) {
    let old = self.score
    if isRunning { breakOffSysEx(at: position.time, into: &buffer) }
    Swift.swap(&self.score, &score)
    generation += 1
    loopJump = nil
    cursor = self.score.chase.cursor
    automation = AutomationRun(self.score.sequence.division)
    seek(to: position.tick)
    strikes.replace(
      at: position, by: self.score.audibleNote(like:),
      release: { buffer.append(self.event(.message($0.release), of: $0, at: position.time)) })
    strikes.forEachSounding(at: position) { cursor.hold($0) }
    guard let standing, isRunning else { return }
    send(
      ChaseMessages(
        to: position.tick, in: self.score, after: .tick(standing, old, .none), on: device),
      at: position.time, into: &buffer)
  }

  /// Goes back at the end of a loop, and ends notes that sound there.
  private func wrap(
    from end: Tick, to position: TransportPosition, into buffer: inout EventBuffer
  ) {
    // Remaining events, if ticks are shorter than a nanosecond.
    while let event = cursor.next(before: end) {
      append(event, time: position.time, to: &buffer)
    }
    breakOffSysEx(at: position.time, into: &buffer)
    strikes.cut(at: position, endingFrom: end) {
      buffer.append(event(.message($0.release), of: $0, at: position.time))
    }
    seek(to: position.tick)
    if loopJump?.isBetween(end, position.tick) != true {
      loopJump = ChaseMessages(
        to: position.tick, in: score, after: .tick(end, score, .none), on: device)
    }
    if let loopJump { send(loopJump, at: position.time, into: &buffer) }
    stand(at: position.tick)
  }

  private func seek(to tick: Tick) {
    cursor.locate(to: tick)
    isEndEmitted = false
    automation.resume(score.ramps, at: tick)
  }

  private func stand(at tick: Tick) {
    if standing != nil { standing = tick }
  }

  private func go(to position: TransportPosition, into buffer: inout EventBuffer) {
    strikes.close(at: position.time)
    seek(to: position.tick)
    guard isRunning else { return }
    send(
      ChaseMessages(to: position.tick, in: score, after: inForce, on: device),
      at: position.time, into: &buffer)
    standing = position.tick
    interruption = .none
    if restartsHeldNotes { strikeHeldNotes(at: position, into: &buffer) }
  }

  private var inForce: ChaseMessages.Force {
    if let standing { return .tick(standing, score, interruption) }
    return stateLeft.map { .left($0) } ?? .nothing
  }

  private func send(
    _ chase: ChaseMessages, at time: ReferenceTime, into buffer: inout EventBuffer
  ) {
    for (track, port, bytes) in chase.restoration.sysExes where port < TrackPorts.limit {
      buffer.append(
        sysEx: bytes.span, time: time, track: UInt16(clamping: track), generation: generation,
        port: port)
    }
    for (track, port, message) in chase.restoration.messages where port < TrackPorts.limit {
      buffer.append(
        TimedEvent(
          time: time, payload: .message(message), track: UInt16(clamping: track),
          generation: generation, port: port))
    }
    for parameter in chase.parameters { append(parameter, time: time, to: &buffer) }
  }

  private func append(
    _ parameter: ChaseMessages.ChasedParameter, time: ReferenceTime, to buffer: inout EventBuffer
  ) {
    guard var change = score.parameterChange(parameter.event) else { return }
    change.value = parameter.value
    buffer.append(
      TimedEvent(
        time: time, payload: .parameter(change), track: UInt16(clamping: parameter.event.track),
        index: UInt32(clamping: parameter.event.index), generation: generation))
  }

  private func strikeHeldNotes(at position: TransportPosition, into buffer: inout EventBuffer) {
    for note in score.chase.state(at: position.tick).heldNotes
    where cursor.audibleTracks[Int(note.track)] && note.port < TrackPorts.limit {
      buffer.append(event(.message(note.strike), of: note, at: position.time))
      strikes.add(note, at: position.time)
      cursor.hold(note)
    }
  }

  private func event(
    _ payload: TimedEvent.Payload, of note: HeldNote, at time: ReferenceTime
  ) -> TimedEvent {
    TimedEvent(
      time: time, payload: payload, track: UInt16(clamping: note.track),
      index: UInt32(clamping: note.index), generation: generation, port: note.port)
  }
}

extension PlayerScore {
  /// The note of this score that continues a sounding note; nil if none does on its port.
  fileprivate func audibleNote(like note: HeldNote) -> HeldNote? {
    let tracks = sequence.audibleTracks
    guard tracks.indices.contains(Int(note.track)), tracks[Int(note.track)],
      let same = sequence.note(like: note),
      chase.ports.port(of: Int(same.track), at: Int(same.index)) == Int(note.port)
    else { return nil }
    return same
  }
}

extension CursorEvent {
  /// True if the event is sent.
  ///
  /// Events for a device are sent only from ports that are played.
  fileprivate var isPlayed: Bool {
    switch kind {
    case .message, .sysEx, .packet: port < TrackPorts.limit
    case .meta, .parameter, .user: true
    }
  }
}
