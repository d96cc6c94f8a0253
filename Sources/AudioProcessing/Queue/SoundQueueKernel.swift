// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime

/// The render side of a queue: starts, fades and stops its source, and applies gain and pan.
@safe
struct SoundQueueKernel: ~Copyable {
  enum Place: Int { case gain, pan, speed }

  let gauges: LevelGauges
  private let channelCount: Int
  private let orders: RingReader<QueueOrder>
  private let facts: RingWriter<QueueFact>
  private let shown: SnapshotWriter<QueueStatus>
  private let bank: ParameterBank
  private let fadeFrames: Int
  private var source: QueueSourceKernel
  private var status = QueueStatus()

  private var startFrame = Int64.max
  private var envelope = ParameterRamp(1)
  /// The envelope at each frame of the quantum.
  private let curve: UnsafeMutablePointer<Float>
  private var isShaped = false
  /// The actions when the envelope has reached 0.
  private var isHalting = false
  private var isReturning = false
  private var stopsWhenDry = false
  /// The frame at which silence began after a run; `Int64.min` without a run.
  private var silentSince = Int64.min

  init(
    channelCount: Int, orders: RingReader<QueueOrder>, facts: RingWriter<QueueFact>,
    shown: SnapshotWriter<QueueStatus>, bank: ParameterBank, rate: SampleRate
  ) {
    self.channelCount = channelCount
    self.orders = orders
    self.facts = facts
    self.shown = shown
    self.bank = bank
    fadeFrames = max(1, Int(rate.hertz) / 200)
    source = QueueSourceKernel(channelCount: channelCount)
    gauges = LevelGauges(count: channelCount, rate: rate)
    unsafe curve = SampleLoop.allocate(channelCount: 1)
  }

  deinit {
    unsafe curve.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: SoundQueueKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let start = block.start.frames
    let bus = block.output(0)
    _ = bank.advance(startFrame: start)
    let speed = unsafe bank.curve(Place.speed.rawValue)
    takeOrders()
    isShaped = false
    var frame = 0
    while frame < AudioFormat.quantum {
      let now = start &+ Int64(truncatingIfNeeded: frame)
      if isReady(at: now, frame) {
        frame &+= unsafe play(bus, frame, speed: speed[frame], now)
      } else {
        for channel in 0..<channelCount { unsafe bus.channel(channel)[frame] = 0 }
        unsafe curve[frame] = 1
        frame &+= 1
      }
    }
    shape(bus)
    for channel in 0..<channelCount {
      unsafe gauges.take(SampleLoop.power(of: bus.channel(channel)), channel)
    }
    publish(start &+ Int64(truncatingIfNeeded: AudioFormat.quantum))
  }

  /// Plays frames from an offset; returns their number.
  @_noAllocation @_noLocks
  private mutating func play(_ bus: Bus, _ offset: Int, speed: Float, _ now: Int64) -> Int {
    var count = 1
    if source.part == 0, speed == 1 {
      if !bank.isMoving(Place.speed.rawValue) {
        count = min(AudioFormat.quantum &- offset, source.headFrames)
      }
      if isFading { count = min(count, envelope.remainingFrames) }
      source.copy(count, to: bus, at: offset)
    } else {
      source.interpolate(to: bus, at: offset, speed: speed)
    }
    if envelope.remainingFrames > 0 || envelope.value != 1 { isShaped = true }
    unsafe envelope.fill(curve + offset, count: count)
    if source.headFrames <= 0 { finish(at: now &+ Int64(truncatingIfNeeded: count)) }
    return count
  }

  @_noAllocation @_noLocks
  private mutating func shape(_ bus: Bus) {
    let gain = unsafe bank.curve(Place.gain.rawValue)
    let pan = unsafe bank.curve(Place.pan.rawValue)
    let isPlain =
      !isShaped && !bank.isMoving(Place.gain.rawValue) && !bank.isMoving(Place.pan.rawValue)
    if isPlain, bank.value(Place.gain.rawValue) == 1, bank.value(Place.pan.rawValue) == 0 { return }
    for frame in 0..<AudioFormat.quantum {
      let factor = unsafe gain[frame] * curve[frame]
      if channelCount == 2 {
        let sides = unsafe PanLaw.balance.gains(at: pan[frame])
        unsafe bus.channel(0)[frame] *= factor * sides.left
        unsafe bus.channel(1)[frame] *= factor * sides.right
      } else {
        for channel in 0..<channelCount { unsafe bus.channel(channel)[frame] *= factor }
      }
    }
  }

  @_noAllocation @_noLocks
  private mutating func publish(_ end: Int64) {
    status.outputFrame = end
    status.playedFrames = source.playedFrames
    let isPlaying = source.isOpen && source.hasHead && source.head.hasBegun
    status.number = isPlaying ? source.head.number : -1
    status.frame = isPlaying ? Int64(truncatingIfNeeded: source.place) : 0
    shown.write(status)
  }
}

// Commands.
extension SoundQueueKernel {
  /// True while the envelope fades out and an action follows.
  private var isFading: Bool {
    @_noAllocation @_noLocks
    get { isHalting || source.limit != .max }
  }

  @_noAllocation @_noLocks
  private mutating func takeOrders() {
    // At most one ring of commands, so that the loop ends even if the writer continues.
    for _ in 0..<2 &* QueueSourceKernel.entryLimit {
      guard let order = orders.pop() else { return }
      source.forgetWindow()
      switch order {
      case .enqueue(let entry): source.append(entry)
      case .start(let frame): start(at: frame)
      case .pause:
        guard status.isRunning || startFrame != .max else { continue }
        (startFrame, isHalting) = (.max, true)
        fade()
      case .stop(let number):
        (startFrame, isHalting, isReturning) = (.max, true, true)
        (source.limit, stopsWhenDry) = (number, false)
        fade()
      case .drain: stopsWhenDry = status.isRunning || startFrame != .max
      case .flush(let number):
        source.limit = number
        fade()
      }
    }
  }

  /// Plays from a frame.
  ///
  /// If a fade to a pause is in progress, it is reversed, or playback waits for the frame.
  @_noAllocation @_noLocks
  private mutating func start(at frame: Int64) {
    stopsWhenDry = false
    guard status.isRunning else { return startFrame = frame }
    guard isHalting else { return }
    guard frame == .min else { return startFrame = frame }
    (startFrame, isHalting) = (.max, false)
    if source.limit == .max { envelope.move(to: 1, over: source.isOpen ? fadeFrames : 0) }
  }

  @_noAllocation @_noLocks
  private mutating func fade() {
    guard envelope.target != 0 || envelope.remainingFrames == 0 else { return }
    envelope.move(to: 0, over: status.isRunning && source.isOpen ? fadeFrames : 0)
  }
}

// The next frame.
extension SoundQueueKernel {
  /// Prepares the next frame; returns true if a frame can be played.
  @_noAllocation @_noLocks
  private mutating func isReady(at now: Int64, _ offset: Int) -> Bool {
    // Each pass removes an entry, begins one, or is among the last passes.
    for _ in 0..<2 &* QueueSourceKernel.entryLimit &+ 8 {
      if isFading, !source.isOpen || envelope.remainingFrames == 0 { settle(at: now) }
      if !status.isRunning {
        guard startFrame <= now else { return false }
        resume(at: now)
      }
      guard source.hasHead else {
        runDry(at: now)
        if isFading { continue }
        return false
      }
      if source.head.hasBegun {
        if source.headFrames > 0 { return true }
        finish(at: now)
        continue
      }
      let due = source.head.startFrame
      if due != .min {
        close(at: now)
        if isFading { continue }
        guard due <= now else { return false }
      }
      begin(at: now, offset)
    }
    return false
  }

  /// Performs the actions that wait for silence.
  @_noAllocation @_noLocks
  private mutating func settle(at now: Int64) {
    if source.limit != .max {
      close(at: now)
      while source.hasHead {
        takeBack(.flushed, at: now)
      }
      source.limit = .max
    }
    if isHalting {
      status.isRunning = false
      if source.isOpen, silentSince == .min { silentSince = now }
      tell(isReturning ? .stopped : .paused, 0, now)
    }
    if isReturning { rewind() }
    envelope.move(to: isHalting && source.isOpen ? 0 : 1, over: 0)
    (isHalting, isReturning) = (false, false)
  }

  /// Resets the counters to 0.
  @_noAllocation @_noLocks
  private mutating func rewind() {
    source.playedFrames = 0
    status.discontinuities = 0
    silentSince = .min
  }

  @_noAllocation @_noLocks
  private mutating func resume(at now: Int64) {
    (status.isRunning, startFrame) = (true, .max)
    guard source.isOpen else { return }
    goOn(at: now)
    if envelope.value != 1 { envelope.move(to: 1, over: fadeFrames) }
  }

  /// Ends the run, if one is active.
  @_noAllocation @_noLocks
  private mutating func close(at now: Int64) {
    guard source.isOpen else { return }
    source.close()
    if silentSince == .min { silentSince = now }
  }

  @_noAllocation @_noLocks
  private mutating func runDry(at now: Int64) {
    let wasOpen = source.isOpen
    close(at: now)
    if stopsWhenDry, !isFading {
      (status.isRunning, stopsWhenDry) = (false, false)
      rewind()
      tell(.stopped, 0, now)
    } else if wasOpen, source.limit == .max {
      status.dryCount &+= 1
      tell(.ranDry, 0, now)
    }
  }

  @_noAllocation @_noLocks
  private mutating func begin(at now: Int64, _ offset: Int) {
    let isNew = !source.isOpen
    source.begin()
    if isNew {
      goOn(at: now)
      envelope.move(to: 1, over: 0)
    }
    let entry = source.head
    move(.gain, entry.gain, offset)
    move(.pan, entry.pan, offset)
    move(.speed, entry.speed, offset)
    let late = entry.startFrame == .min ? 0 : now &- entry.startFrame
    if late > 0 { status.lateCount &+= 1 }
    tell(.began, entry.number, now, late)
  }

  @_noAllocation @_noLocks
  private func move(_ place: Place, _ move: QueueMove, _ offset: Int) {
    guard move.frameCount >= 0 else { return }
    bank.move(place.rawValue, to: move.value, over: Int(move.frameCount), from: offset)
  }

  /// Records that sound continues, perhaps after silence.
  @_noAllocation @_noLocks
  private mutating func goOn(at now: Int64) {
    if silentSince != .min, now > silentSince {
      status.discontinuities &+= 1
      tell(.discontinuity, 0, now, now &- silentSince)
    }
    silentSince = .min
  }

  @_noAllocation @_noLocks
  private mutating func finish(at now: Int64) { takeBack(.played, at: now) }

  /// Removes the first entry, then reports it.
  ///
  /// After the report its buffer may be filled again.
  @_noAllocation @_noLocks
  private mutating func takeBack(_ kind: QueueFact.Kind, at now: Int64) {
    let number = source.head.number
    source.removeHead()
    tell(kind, number, now)
  }

  /// Sends a report.
  ///
  /// Reports of returned entries always have room; others are dropped if necessary.
  @_noAllocation @_noLocks
  private mutating func tell(
    _ kind: QueueFact.Kind, _ number: Int64, _ frame: Int64, _ amount: Int64 = 0
  ) {
    if kind.isEnd || facts.room > QueueSourceKernel.entryLimit {
      _ = facts.push(QueueFact(kind: kind, number: number, frame: frame, amount: amount))
    } else {
      status.untoldCount &+= 1
    }
  }
}
