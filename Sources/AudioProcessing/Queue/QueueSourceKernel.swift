// SPDX-License-Identifier: Apache-2.0

/// The buffers of a queue as one line of frames, and the place on it that is played.
///
/// A run is what sounds without silence in it. Between the frames of a run it interpolates; beyond its
/// ends there is silence.
@safe
struct QueueSourceKernel: ~Copyable {
  /// The buffers that wait or sound.
  static var entryLimit: Int {
    @_noAllocation @_noLocks
    get { 1024 }
  }

  /// Whether a run is under way.
  private(set) var isOpen = false
  /// The number of entries in line.
  private(set) var count = 0
  /// The frames that have been played.
  var playedFrames: Int64 = 0
  /// The number of the first entry that is out of sight.
  var limit = Int64.max

  private let channelCount: Int
  private let entries: UnsafeMutablePointer<QueueEntry>
  private var first = 0
  /// The next frame of the first entry, and how far past it the next sample lies.
  private(set) var place = 0
  private(set) var part = 0.0
  private var interpolator = SincInterpolator()
  /// What was played of the run before the first entry: `reach` frames of each channel.
  private let past: UnsafeMutablePointer<Float>
  /// Frames of the run around the place, for the interpolator.
  private let window: UnsafeMutablePointer<Float>
  private var windowStart: Int64 = 0
  private var hasWindow = false

  private static var reach: Int {
    @_noAllocation @_noLocks
    get { SincInterpolator.reach }
  }

  private static var windowFrames: Int {
    @_noAllocation @_noLocks
    get { 3 &* reach }
  }

  init(channelCount: Int) {
    self.channelCount = channelCount
    unsafe entries = .allocate(capacity: Self.entryLimit)
    unsafe past = .allocate(capacity: channelCount * Self.reach)
    unsafe past.initialize(repeating: 0, count: channelCount * Self.reach)
    unsafe window = .allocate(capacity: channelCount * Self.windowFrames)
    unsafe window.initialize(repeating: 0, count: channelCount * Self.windowFrames)
  }

  deinit {
    unsafe entries.deallocate()
    unsafe past.deallocate()
    unsafe window.deallocate()
  }

  @_noAllocation @_noLocks
  private func entry(_ index: Int) -> UnsafeMutablePointer<QueueEntry> {
    unsafe entries + (first &+ index) & (Self.entryLimit &- 1)
  }

  /// Adds an entry to the end; there is room for as many as are under way.
  @_noAllocation @_noLocks
  mutating func append(_ entry: QueueEntry) {
    guard count < Self.entryLimit else { return }
    unsafe self.entry(count).initialize(to: entry)
    count &+= 1
  }

  /// Has what was laid out laid anew, since something changed.
  @_noAllocation @_noLocks
  mutating func forgetWindow() {
    hasWindow = false
  }

  /// Whether there is a first entry, and in sight.
  var hasHead: Bool {
    @_noAllocation @_noLocks
    get { unsafe count > 0 && entry(0).pointee.number < limit }
  }

  /// The first entry; there must be one.
  var head: QueueEntry {
    @_noAllocation @_noLocks
    get { unsafe entry(0).pointee }
  }

  /// The frames of the first entry that are left to play; there must be one.
  var headFrames: Int {
    @_noAllocation @_noLocks
    get { unsafe entry(0).pointee.frameCount &- place }
  }

  /// Begins with the first entry, in a run of its own where none is under way.
  @_noAllocation @_noLocks
  mutating func begin() {
    unsafe entry(0).pointee.hasBegun = true
    guard !isOpen else { return }
    isOpen = true
    unsafe past.update(repeating: 0, count: channelCount &* Self.reach)
    hasWindow = false
  }

  /// Ends the run.
  @_noAllocation @_noLocks
  mutating func close() {
    // What a speed went beyond the end was not there to be played.
    if unsafe count == 0 || !entry(0).pointee.hasBegun {
      playedFrames &-= Int64(truncatingIfNeeded: place)
    }
    (isOpen, place, part) = (false, 0, 0)
  }

  /// Takes the first entry out, and keeps its end for what follows in the run.
  @_noAllocation @_noLocks
  mutating func removeHead() {
    let gone = unsafe entry(0).pointee
    if isOpen {
      for channel in 0..<channelCount { keep(gone, channel) }
      place &-= gone.frameCount
    }
    first = (first &+ 1) & (Self.entryLimit &- 1)
    count &-= 1
  }

  @_noAllocation @_noLocks
  private func keep(_ entry: QueueEntry, _ channel: Int) {
    let past = unsafe self.past + channel &* Self.reach
    let samples = unsafe entry.samples + channel &* entry.stride
    let taken = min(entry.frameCount, Self.reach)
    let kept = Self.reach &- taken
    for frame in 0..<kept { unsafe past[frame] = past[frame &+ taken] }
    let start = entry.frameCount &- taken
    for frame in 0..<taken { unsafe past[kept &+ frame] = samples[start &+ frame] }
  }

  /// Plays frames of the first entry as they are, and goes on behind them.
  @_noAllocation @_noLocks
  mutating func copy(_ frameCount: Int, to bus: Bus, at offset: Int) {
    let entry = unsafe entry(0).pointee
    for channel in 0..<channelCount {
      let source = unsafe entry.samples + (channel &* entry.stride &+ place)
      let target = unsafe bus.channel(channel) + offset
      for frame in 0..<frameCount { unsafe target[frame] = source[frame] }
    }
    place &+= frameCount
    playedFrames &+= Int64(truncatingIfNeeded: frameCount)
  }

  /// Plays what lies at the place, and goes on by a speed.
  @_noAllocation @_noLocks
  mutating func interpolate(to bus: Bus, at offset: Int, speed: Float) {
    var index = Int(truncatingIfNeeded: playedFrames &- windowStart)
    if !hasWindow || index &+ Self.reach >= Self.windowFrames {
      lay()
      index = Self.reach
    }
    interpolator.aim(at: part, speed: speed)
    for channel in 0..<channelCount {
      let sample = unsafe window + (channel &* Self.windowFrames &+ index)
      unsafe bus.channel(channel)[offset] = interpolator.value(around: UnsafePointer(sample))
    }
    part += Double(speed)
    let whole = Int(part)
    part -= Double(whole)
    place &+= whole
    playedFrames &+= Int64(truncatingIfNeeded: whole)
  }

  /// Lays the window so that the place is `reach` frames behind its start.
  @_noAllocation @_noLocks
  private mutating func lay() {
    windowStart = playedFrames &- Int64(truncatingIfNeeded: Self.reach)
    hasWindow = true
    for channel in 0..<channelCount { lay(channel) }
  }

  @_noAllocation @_noLocks
  private func lay(_ channel: Int) {
    let window = unsafe self.window + channel &* Self.windowFrames
    // Where the next frame lies in an entry; below 0 it is one of the past.
    var next = place &- Self.reach
    var filled = 0
    while next < 0 {
      unsafe window[filled] = past[channel &* Self.reach &+ Self.reach &+ next]
      filled &+= 1
      next &+= 1
    }
    var index = 0
    while filled < Self.windowFrames, index < count {
      let entry = unsafe entry(index).pointee
      guard entry.number < limit, index == 0 || entry.startFrame == .min else { break }
      let taken = min(entry.frameCount &- next, Self.windowFrames &- filled)
      let samples = unsafe entry.samples + (channel &* entry.stride &+ next)
      for frame in 0..<taken { unsafe window[filled &+ frame] = samples[frame] }
      filled &+= taken
      next = 0
      index &+= 1
    }
    unsafe (window + filled).update(repeating: 0, count: Self.windowFrames &- filled)
  }
}
