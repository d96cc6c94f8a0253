// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import MusicalTime

/// The state of instruments after a sequence was played from its beginning up to a tick.
public struct ChaseState: Sendable {
  /// The tick.
  ///
  /// Events at this tick are not included.
  private(set) var tick: UInt64
  let ports: TrackPorts
  /// Sixteen channels for each place of `ports`.
  private var channels: [ChannelState]
  /// The settings made by SysEx messages, one memory for each place.
  private var memories: [DeviceMemory]
  /// The last change of each unit parameter.
  public private(set) var parameters: [CursorEvent] = []
  /// The notes that began before the tick and end after it.
  public private(set) var heldNotes: [HeldNote] = []

  init(at tick: UInt64, _ ports: TrackPorts) {
    self.tick = tick
    self.ports = ports
    channels = Array(repeating: ChannelState(), count: 16 * max(1, ports.places.count))
    memories = Array(repeating: DeviceMemory(), count: max(1, ports.places.count))
  }

  /// A message, with the index of the track and the port that determine its destination.
  public typealias Routed = (track: Int, port: UInt8, message: Message)
  /// A SysEx message without F0 and F7, with the index of the track and the port that determine its
  /// destination.
  public typealias RoutedSysEx = (track: Int, port: UInt8, bytes: [UInt8])

  /// The messages that restore a state.
  ///
  /// Send the SysEx messages before the channel messages.
  public struct Restoration: Sendable {
    /// The SysEx messages, in order.
    public fileprivate(set) var sysExes: [RoutedSysEx] = []
    /// The channel messages, channel by channel.
    public fileprivate(set) var messages: [Routed] = []
    /// SysEx messages whose effect cannot be undone, because a message that does so is not known.
    public fileprivate(set) var lost: [RoutedSysEx] = []

    /// The number of bytes of all messages, without running status.
    public var byteCount: Int {
      sysExes.reduce(0) { $0 + $1.bytes.count + 2 } + messages.reduce(0) { $0 + $1.message.length }
    }
  }

  /// The smallest list of messages that restores the state on instruments that have just been
  /// reset.
  public var restoration: Restoration {
    var result = Restoration()
    for (place, memory) in memories.enumerated() {
      let way = way(to: place)
      let sent = sharedPlace(of: place).map { memories[$0].messages } ?? []
      result.sysExes += memory.messages.filter { !sent.contains($0) }
        .map { (way.track, way.port, $0) }
    }
    result.messages = channels.indices.flatMap {
      routed(channels[$0].messages(on: Self.channel($0)), $0)
    }
    return result
  }

  /// The channel messages that restore the state on instruments that have just been reset.
  public var messages: [Routed] { restoration.messages }

  private func routed(_ messages: [Message], _ index: Int) -> [Routed] {
    let way = way(to: index >> 4)
    return messages.map { (way.track, way.port, $0) }
  }

  /// A track and a port that determine the destination of a place.
  private func way(to place: Int) -> (track: Int, port: UInt8) {
    guard place < ports.places.count else { return (0, 0) }
    return (ports.places[place].track, UInt8(clamping: ports.places[place].port))
  }

  /// The place without a port selection whose events also go to a place; nil for none.
  private func sharedPlace(of place: Int) -> Int? {
    place < ports.shared.count ? ports.shared[place] : nil
  }

  private static func channel(_ index: Int) -> Channel {
    Channel(index: UInt8(truncatingIfNeeded: index & 15))
  }

  /// Returns the smallest list of messages that changes instruments from another state to this one.
  ///
  /// A setting that was made only in the other state returns to the initial value of the current
  /// mode. A setting that was made in neither state is not sent.
  ///
  /// - Parameters:
  ///   - other: The current state of the instruments, of this sequence or another.
  ///   - interruption: The event that has interrupted playback after `other` was reached; none by
  ///     default.
  ///   - device: The kind of device, which determines the initial values.
  /// - Returns: The messages.
  public func restoration(
    after other: ChaseState, _ interruption: Interruption = .none,
    on device: StateDevice = .published
  ) -> Restoration {
    var result = Restoration()
    var sent: [[[UInt8]]] = []
    for place in memories.indices {
      let start = result.sysExes.count
      restore(place, after: other, interruption, device, &result)
      sent.append(result.sysExes[start...].map(\.bytes))
      if let shared = sharedPlace(of: place) {
        let known = sent[shared]
        result.sysExes[start...].removeAll { known.contains($0.bytes) }
      }
    }
    return result
  }

  private func restore(
    _ port: Int, after other: ChaseState, _ interruption: Interruption, _ device: StateDevice,
    _ result: inout Restoration
  ) {
    let known = ports.places.isEmpty ? nil : other.ports.place(like: ports, port)
    var old =
      known.map { Array(other.channels[16 * $0..<16 * $0 + 16]) }
      ?? Array(repeating: ChannelState(), count: 16)
    if interruption == .unsure { old = old.map(\.touched) }
    let memory = memories[port]
    let channels = channels[16 * port..<16 * port + 16]
    let change = memory.change(
      after: known.map { other.memories[$0] } ?? DeviceMemory(), on: device,
      isSure: interruption != .unsure
    ) { setting in
      if case .rhythm = setting { return false }
      guard let (channel, fields) = SharedSetting.fields(of: setting) else { return false }
      return fields.contains { channels[16 * port + Int(channel)].isSet($0) }
    }
    let way = way(to: port)
    result.sysExes += change.messages.map { (way.track, way.port, $0) }
    result.lost += change.lost.map { (way.track, way.port, $0) }
    for setting in change.settings {
      guard let (channel, fields) = SharedSetting.fields(of: setting) else { continue }
      for field in fields { old[Int(channel)].forget(field) }
    }
    if change.settings.contains(where: \.isOfDrumNote) {
      for index in old.indices { old[index].forgetDrumNotes() }
    }
    for (index, state) in channels.enumerated() {
      let channel = Channel(index: UInt8(index))
      // After a reset, all of the state must be sent.
      if change.resets, memory.mode != nil {
        result.messages += state.messages(on: channel).map { (way.track, way.port, $0) }
        continue
      }
      if interruption == .released || interruption == .cut {
        old[index].raisePedals(all: interruption == .cut)
      }
      if interruption == .cut { old[index].centreBend() }
      // Some devices ignore System Off, so everything that differs from either state is sent.
      let known = change.resets ? old[index].touched : old[index]
      result.messages += state.messages(
        after: known, on: channel,
        ChannelState.Defaults(mode: memory.mode, device: device) { field in
          SharedSetting.settings(of: field, on: UInt8(index)).contains(where: memory.isSet)
        }
      ).map { (way.track, way.port, $0) }
    }
  }

  /// An interruption of playback that changes the state of instruments.
  public enum Interruption: Hashable, Sendable {
    /// Playback was not interrupted.
    case none
    /// Notes and pedals were released.
    case released
    /// Notes and pedals were released, sound was cut, all pedals were set to 0 and pitch bends were
    /// centred.
    case cut
    /// The state of the instruments is unknown, because playback stopped at an unknown position or
    /// an instrument was added.
    ///
    /// All settings are then sent, including initial values for those that the other state may have
    /// changed.
    case unsure
  }

  /// An event that changes the state, at its tick in the sequence.
  private struct Change {
    let record: EventRecord
    let track: Int32
    let index: Int32
    /// The order among events of other tracks: at one tick all heads precede all rests, as in
    /// `SequenceCursor`.
    let place: UInt64

    init(_ record: EventRecord, _ track: Int, _ index: Int, isRest: Bool) {
      self.record = record
      self.track = Int32(truncatingIfNeeded: track)
      self.index = Int32(truncatingIfNeeded: index)
      place = record.tick << 1 | (isRest ? 1 : 0)
    }
  }

  /// Applies the events up to a tick.
  mutating func advance(to bound: UInt64, in sequence: MusicSequence) {
    heldNotes.removeAll { $0.end.value <= Int64(bound) }
    var hasSource = channels.contains(where: \.hasPortamentoSource)
    var changes: [Change] = []
    let isInOrder = add(before: bound, in: sequence, to: &changes) { state, record, track, index in
      if record.endTick > bound { state.hold(record, track, index) }
      return false
    }
    hasSource = hasSource || changes.contains { $0.record.isPortamentoSource }
    if hasSource {
      changes.removeAll(keepingCapacity: true)
      add(before: bound, in: sequence, to: &changes) { _, _, _, _ in true }
    }
    // The sort is stable: in one position, earlier tracks are first.
    if hasSource || !isInOrder { changes.sort { $0.place < $1.place } }
    for change in changes { apply(change, in: sequence) }
    tick = bound
  }

  /// Adds the events up to a tick, track by track.
  ///
  /// Notes are added only if a closure returns true: they reset the key that the next note slides
  /// from.
  ///
  /// - Returns: True if the changes are in order, because at most one track has any.
  @inline(__always)
  @discardableResult
  private mutating func add(
    before bound: UInt64, in sequence: MusicSequence, to changes: inout [Change],
    note: (inout ChaseState, EventRecord, _ track: Int, _ index: Int) -> Bool
  ) -> Bool {
    var isInOrder = true
    for (index, track) in sequence.tracks.enumerated() {
      var reading = TrackReading(playing: track, from: tick)
      let known = changes.count
      var split = TickSplit()
      var tick = UInt64.max
      while let record = reading.record, record.tick < bound {
        if record.tick != tick { split = TickSplit() }
        tick = record.tick
        let isRest = split.takesAsRest(record)
        if !record.isNote || note(&self, record, index, reading.index) {
          changes.append(Change(record, index, reading.index, isRest: isRest))
        }
        reading.advance()
      }
      if known > 0, changes.count > known { isInOrder = false }
    }
    return isInOrder
  }

  private mutating func hold(_ record: EventRecord, _ track: Int, _ index: Int) {
    heldNotes.append(
      HeldNote(
        track: Int32(track), index: Int32(truncatingIfNeeded: index),
        start: Tick(Int64(record.tick)), end: Tick(Int64(record.endTick)),
        strike: Message(record), release: record.releaseMessage,
        port: UInt8(clamping: ports.port(of: track, at: index))))
  }

  private mutating func apply(_ change: Change, in sequence: MusicSequence) {
    let record = change.record
    if record.isChannelMessage {
      let place = ports.place(of: Int(change.track), at: Int(change.index))
      guard ports.hasShared else { return apply(record, port: place) }
      for place in ports.reach[place] { apply(record, port: place) }
      return
    }
    guard record.status == EventRecord.sysEx || record.status == EventRecord.parameter else {
      return
    }
    let track = sequence.tracks[Int(change.track)]
    let event = CursorEvent(
      tick: Tick(Int64(record.tick)), track: change.track, index: change.index,
      kind: track.kind(of: record))
    switch event.kind {
    case .sysEx(let range):
      let place = ports.place(of: Int(change.track), at: Int(change.index))
      for place in ports.reach[place] { applySysEx(track.payload(range), port: place) }
    case .parameter(let range): applyParameter(event, track.parameter(at: range), in: sequence)
    default: break
    }
  }

  @inline(__always)
  private mutating func apply(_ record: EventRecord, port: Int) {
    let channel = record.status & 0x0F
    let place = 16 * port + Int(channel)
    channels[place].apply(record)
    guard !memories[port].isEmpty, SharedSetting.mayShare(record),
      let field = channels[place].field(setBy: record)
    else { return }
    for setting in SharedSetting.settings(of: field, on: channel) { memories[port].forget(setting) }
  }

  private mutating func applySysEx(_ bytes: [UInt8], port: Int) {
    if SysExReset(bytes) != nil {
      for channel in 16 * port..<16 * port + 16 {
        channels[channel] = channels[channel].afterDeviceReset
      }
    }
    for setting in memories[port].apply(bytes) {
      guard let (channel, fields) = SharedSetting.fields(of: setting) else { continue }
      for field in fields { channels[16 * port + Int(channel)].forget(field) }
    }
  }

  private mutating func applyParameter(
    _ event: CursorEvent, _ change: ParameterEvent?, in sequence: MusicSequence
  ) {
    guard let change else { return }
    parameters.removeAll { old in
      guard old.track == event.track, case .parameter(let range) = old.kind,
        let known = sequence.tracks[Int(old.track)].parameter(at: range)
      else { return false }
      return known.parameter == change.parameter && known.scope == change.scope
        && known.element == change.element
    }
    parameters.append(event)
  }
}
