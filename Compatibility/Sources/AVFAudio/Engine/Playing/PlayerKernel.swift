// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Realtime

/// The render side of a player: plays entries one after the other.
@safe
struct PlayerKernel: ~Copyable {
  /// The entries that can wait, a power of two.
  static var entryLimit: Int {
    @_noAllocation @_noLocks
    get { 512 }
  }

  private let channelCount: Int
  private let orders: RingReader<PlayerOrder>
  private let facts: RingWriter<PlayerFact>
  private let shown: SnapshotWriter<PlayerStatus>
  /// A ring of entries: `count` of them from `first` on.
  private let entries: UnsafeMutablePointer<PlayerEntry>
  private var first = 0
  private var count = 0
  private var status = PlayerStatus()
  private var isPlaying = false
  /// The engine's frame at which the player begins; `Int64.min` for at once.
  private var startFrame = Int64.min

  init(
    channelCount: Int, played: Int64, orders: RingReader<PlayerOrder>,
    facts: RingWriter<PlayerFact>, shown: SnapshotWriter<PlayerStatus>
  ) {
    self.channelCount = channelCount
    self.orders = orders
    self.facts = facts
    self.shown = shown
    status.played = played
    unsafe entries = .allocate(capacity: Self.entryLimit)
  }

  deinit {
    unsafe entries.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: PlayerKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let start = block.start.frames
    let bus = block.output(0)
    bus.clear()
    takeOrders(at: start)
    if isPlaying { play(bus, start) }
    let isUnderWay = count > 0 && status.place > 0
    status.number = count > 0 ? head.number : -1
    if !isUnderWay { status.place = 0 }
    shown.write(status)
  }

  private var head: PlayerEntry {
    @_noAllocation @_noLocks
    get { unsafe entries[first] }
  }

  @_noAllocation @_noLocks
  private mutating func play(_ bus: Bus, _ start: Int64) {
    var offset = 0
    if startFrame != .min {
      let wait = startFrame &- start
      guard wait < Int64(AudioFormat.quantum) else { return }
      offset = Int(truncatingIfNeeded: max(0, wait))
      startFrame = .min
    }
    if !status.hasBegun {
      status.hasBegun = true
      status.origin = start &+ Int64(truncatingIfNeeded: offset) &- status.played
    }
    // Each step plays a frame or removes an entry.
    for _ in 0..<AudioFormat.quantum &+ Self.entryLimit {
      guard offset < AudioFormat.quantum, count > 0 else { break }
      offset &+= step(bus, offset, start)
    }
    status.played = start &+ Int64(AudioFormat.quantum) &- status.origin
  }

  /// Plays a part of the first entry, waits for its start, or removes it; returns the frames.
  @_noAllocation @_noLocks
  private mutating func step(_ bus: Bus, _ offset: Int, _ start: Int64) -> Int {
    let entry = head
    let now = start &+ Int64(truncatingIfNeeded: offset)
    let room = AudioFormat.quantum &- offset
    let wait = entry.startFrame == .min ? 0 : entry.startFrame &- (now &- status.origin)
    if wait > 0 { return Int(truncatingIfNeeded: min(wait, Int64(truncatingIfNeeded: room))) }
    let length = min(room, entry.frameCount &- status.place)
    let samples = unsafe entry.samples + status.place &* channelCount
    for channel in 0..<channelCount {
      let target = unsafe bus.channel(channel) + offset
      for frame in 0..<length {
        unsafe target[frame] = samples[frame &* channelCount &+ channel]
      }
    }
    status.place &+= length
    if status.place == entry.frameCount {
      status.place = 0
      if !entry.loops || entry.frameCount == 0 {
        remove(at: now &+ Int64(truncatingIfNeeded: length))
      }
    }
    return length
  }

  /// Removes the first entry.
  @_noAllocation @_noLocks
  private mutating func remove(at frame: Int64) {
    // The ring has room for all entries.
    _ = facts.push(PlayerFact(number: head.number, endFrame: frame))
    first = (first &+ 1) & (Self.entryLimit &- 1)
    count &-= 1
  }

  // MARK: Orders

  @_noAllocation @_noLocks
  private mutating func takeOrders(at frame: Int64) {
    for _ in 0..<2 &* Self.entryLimit {
      guard let order = orders.pop() else { return }
      switch order {
      case .append(let entry): append(entry)
      case .play(let start):
        guard !isPlaying else { continue }
        (isPlaying, startFrame, status.hasBegun) = (true, start, false)
      case .pause: (isPlaying, status.hasBegun) = (false, false)
      case .stop(let number):
        drop(before: number, keeping: -1, at: frame)
        (isPlaying, status.hasBegun, status.played) = (false, false, 0)
      case .drop(let number): drop(before: number, keeping: -1, at: frame)
      case .endLoop(let segment, let number):
        drop(before: number, keeping: segment, at: frame)
      }
    }
  }

  @_noAllocation @_noLocks
  private mutating func append(_ entry: PlayerEntry) {
    // The control side sends no more than there is room for.
    guard count < Self.entryLimit else { return }
    unsafe entries[(first &+ count) & (Self.entryLimit &- 1)] = entry
    count &+= 1
  }

  /// Removes entries below a number, except those of a segment, which do not loop any more.
  @_noAllocation @_noLocks
  private mutating func drop(before number: Int64, keeping segment: Int64, at frame: Int64) {
    let (start, all) = (first, count)
    count = 0
    for index in 0..<all {
      var entry = unsafe entries[(start &+ index) & (Self.entryLimit &- 1)]
      if entry.number < number, entry.segment != segment {
        if index == 0 { status.place = 0 }
        _ = facts.push(PlayerFact(number: entry.number, endFrame: frame))
      } else {
        if entry.segment == segment { entry.loops = false }
        unsafe entries[(start &+ count) & (Self.entryLimit &- 1)] = entry
        count &+= 1
      }
    }
  }
}
