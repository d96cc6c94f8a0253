// SPDX-License-Identifier: Apache-2.0

/// The buffers of a queue as one sequence of frames, and the play position in it.
///
/// A run is a passage without silence. The kernel interpolates between the frames of a run; outside
/// the run is silence.
@safe
struct QueueSourceKernel: ~Copyable {
  /// The maximum number of waiting and playing buffers.
  static var entryLimit: Int {
    @_noAllocation @_noLocks
    get { 1024 }
  }

  /// True during a run.
  private(set) var isOpen = false
  /// The number of entries in the queue.
  private(set) var count = 0
  /// The number of frames played.
  var playedFrames: Int64 = 0
  /// Entries from this number on are not played.
  var limit = Int64.max

  private let channelCount: Int
  private let entries: UnsafeMutablePointer<QueueEntry>
  private var first = 0
  /// The next frame in the first entry, and the fraction of a frame after it.
  private(set) var place = 0
  private(set) var part = 0.0
  private var interpolator = SincInterpolator()
  /// The last frames of the run before the first entry: `reach` frames of each channel.
  private let past: UnsafeMutablePointer<Float>
  /// Frames of the run around the position, for the interpolator.
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

  /// Appends an entry, if there is room.
  @_noAllocation @_noLocks
  mutating func append(_ entry: QueueEntry) {
    guard count < Self.entryLimit else { return }
    unsafe self.entry(count).initialize(to: entry)
    count &+= 1
  }

  /// Invalidates the window after a change.
  @_noAllocation @_noLocks
  mutating func forgetWindow() {
    hasWindow = false
  }

  /// True if a first entry exists and may be played.
  var hasHead: Bool {
    @_noAllocation @_noLocks
    get { unsafe count > 0 && entry(0).pointee.number < limit }
  }

  /// The first entry, which must exist.
  var head: QueueEntry {
    @_noAllocation @_noLocks
    get { unsafe entry(0).pointee }
  }

  /// The remaining frames of the first entry, which must exist.
  var headFrames: Int {
    @_noAllocation @_noLocks
    get { unsafe entry(0).pointee.frameCount &- place }
  }

  /// Begins the first entry, and a new run if none is active.
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
    // A speed above 1 may have moved the position beyond the end, to frames that do not exist.
    if unsafe count == 0 || !entry(0).pointee.hasBegun {
      playedFrames &-= Int64(truncatingIfNeeded: place)
    }
    (isOpen, place, part) = (false, 0, 0)
  }

  /// Removes the first entry, and stores its end for interpolation in the run.
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

  /// Plays frames of the first entry unchanged, and advances.
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

  /// Plays the interpolated sample at the position, and advances by the speed.
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

  /// Fills the window, with the position `reach` frames after its start.
  @_noAllocation @_noLocks
  private mutating func lay() {
    windowStart = playedFrames &- Int64(truncatingIfNeeded: Self.reach)
    hasWindow = true
    for channel in 0..<channelCount { lay(channel) }
  }

  @_noAllocation @_noLocks
  private func lay(_ channel: Int) {
    let window = unsafe self.window + channel &* Self.windowFrames
    // The position of the next frame in an entry; below 0 it is in `past`.
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
