// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Foundation
import TestSupport

/// The functions of AudioQueue.h, called in any order with any handles and buffers, from callbacks
/// too; most queues render offline.
@safe struct QueueCallTarget: FuzzTarget {
  private var queues: [AudioQueueRef?] = unsafe [nil]
  private var buffers: [AudioQueueBufferRef?] = unsafe [nil]
  private var timelines: [AudioQueueTimelineRef?] = unsafe [nil]
  private var taps: [AudioQueueProcessingTapRef?] = unsafe [nil]
  private var (done, refused) = (0, 0)
  private let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)

  private static let codes: Set<OSStatus> = [
    0, -50, -108, kAudioQueueErr_InvalidBuffer, kAudioQueueErr_BufferEmpty,
    kAudioQueueErr_DisposalPending, kAudioQueueErr_InvalidProperty,
    kAudioQueueErr_InvalidPropertySize, kAudioQueueErr_InvalidParameter,
    kAudioQueueErr_CannotStart, kAudioQueueErr_InvalidDevice, kAudioQueueErr_BufferInQueue,
    kAudioQueueErr_InvalidRunState, kAudioQueueErr_InvalidQueueType,
    kAudioQueueErr_InvalidPropertyValue, kAudioQueueErr_CodecNotFound,
    kAudioQueueErr_TooManyTaps, kAudioQueueErr_InvalidTapContext, kAudioQueueErr_InvalidTapType,
    kAudioQueueErr_BufferEnqueuedTwice, kAudioQueueErr_InvalidOfflineMode,
    kAudioFormatUnsupportedDataFormatError, kAudioConverterErr_RequiresPacketDescriptionsError,
  ]

  private static let properties: [AudioQueuePropertyID] = [
    kAudioQueueProperty_IsRunning, kAudioQueueDeviceProperty_SampleRate,
    kAudioQueueDeviceProperty_NumberChannels, kAudioQueueProperty_MagicCookie,
    kAudioQueueProperty_MaximumOutputPacketSize, kAudioQueueProperty_StreamDescription,
    kAudioQueueProperty_ChannelLayout, kAudioQueueProperty_EnableLevelMetering,
    kAudioQueueProperty_CurrentLevelMeter, kAudioQueueProperty_CurrentLevelMeterDB,
    kAudioQueueProperty_DecodeBufferSizeFrames, kAudioQueueProperty_ConverterError,
    kAudioQueueProperty_TimePitchAlgorithm, kAudioQueueProperty_TimePitchBypass,
    kAudioQueueProperty_HardwareCodecPolicy, kAudioConverterEncodeBitRate,
    kAudioConverterCurrentInputStreamDescription, 0x3F3F_3F3F,
  ]

  init(_ scene: FuzzScene) {
    unsafe _ = memory.initializeMemory(as: UInt8.self, repeating: 0, count: 4096)
  }

  var tally: String { "\(done) done, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    for _ in 0..<8 {
      let status = call(&random)
      if status == noErr { done += 1 } else { refused += 1 }
      try FuzzFault.unless(Self.codes.contains(status), "status \(status)")
    }
    forget()
  }

  /// Changes the buffer, then does one of several things that programs do in callbacks.
  private static let callback: AudioQueueOutputCallback = { data, queue, buffer in
    let size = unsafe buffer.pointee.mAudioDataBytesCapacity
    unsafe memset(buffer.pointee.mAudioData, Int32(size & 0x7F), Int(size))
    switch UInt(bitPattern: buffer) >> 4 % 7 {
    case 0: unsafe AudioQueueStop(queue, size % 2 == 0)
    case 1: unsafe AudioQueueFreeBuffer(queue, buffer)
    case 2: if size % 5 == 0 { unsafe AudioQueueDispose(queue, true) }
    case 3: unsafe AudioQueueReset(queue)
    default: break
    }
  }

  private static let input: AudioQueueInputCallback = { _, queue, buffer, _, _, _ in
    unsafe AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
  }

  private static let listener: AudioQueuePropertyListenerProc = { _, queue, property in
    var (value, size) = (UInt32(0), UInt32(4))
    unsafe AudioQueueGetProperty(queue, property, &value, &size)
  }

  private static let tap: AudioQueueProcessingTapCallback = {
    data, tap, frames, time, flags, count, list in
    unsafe AudioQueueProcessingTapGetSourceAudio(tap, frames, time, flags, count, list)
  }

  private func any<Pointer>(_ list: [Pointer?], _ random: inout SplitMix) -> Pointer? {
    Int.random(in: 0..<8, using: &random) == 0
      ? list.randomElement(using: &random) ?? nil
      : list.suffix(4).randomElement(using: &random) ?? nil
  }

  private func queue(_ random: inout SplitMix) -> AudioQueueRef? {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: unsafe AudioQueueRef(bitPattern: UInt(truncatingIfNeeded: random.next()))
    case 1: unsafe any(timelines + taps, &random)
    default: unsafe any(queues, &random)
    }
  }

  private func buffer(_ random: inout SplitMix) -> AudioQueueBufferRef? {
    Int.random(in: 0..<60, using: &random) == 0
      ? unsafe AudioQueueBufferRef(bitPattern: UInt(truncatingIfNeeded: random.next()))
      : unsafe any(buffers, &random)
  }

  private mutating func call(_ random: inout SplitMix) -> OSStatus {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<3: return make(&random)
    case 3..<15: return allocate(&random)
    case 15..<40: return enqueue(&random)
    case 40..<55: return render(&random)
    case 55..<70: return run(&random)
    case 70..<85: return property(&random)
    case 85..<95: return time(&random)
    case 95..<97: return tap(&random)
    case 97..<99: return unsafe AudioQueueFreeBuffer(queue(&random), buffer(&random))
    default: return unsafe AudioQueueDispose(queue(&random), Bool.random(using: &random))
    }
  }

  private func format(_ random: inout SplitMix) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    let rates: [Double] = [44_100, 48_000, 8000, 0, -1, .nan, 1e300]
    format.mSampleRate = rates.randomElement(using: &random) ?? 0
    format.mChannelsPerFrame = [1, 2, 2, 6, 0, 65, .max].randomElement(using: &random) ?? 2
    let ids = [
      kAudioFormatLinearPCM, kAudioFormatLinearPCM, kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3,
      kAudioFormatAppleIMA4, kAudioFormatULaw, kAudioFormatAppleLossless, 0,
    ]
    format.mFormatID = ids.randomElement(using: &random) ?? kAudioFormatLinearPCM
    format.mFormatFlags = AudioFormatFlags.random(in: 0..<64, using: &random)
    let bytes = UInt32.random(in: 1...4, using: &random)
    format.mBitsPerChannel = Bool.random(using: &random) ? 8 * bytes : bytes
    format.mBytesPerFrame = bytes &* format.mChannelsPerFrame
    format.mBytesPerPacket = format.mBytesPerFrame
    format.mFramesPerPacket = Bool.random(using: &random) ? 1 : 1024
    return format
  }

  private static let plain = AudioStreamBasicDescription(
    mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
    mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
    mReserved: 0)

  private mutating func make(_ random: inout SplitMix) -> OSStatus {
    var queue: AudioQueueRef?
    var format = Bool.random(using: &random) ? Self.plain : format(&random)
    let status: OSStatus
    if Int.random(in: 0..<5, using: &random) == 0 {
      status = unsafe AudioQueueNewInput(&format, Self.input, nil, nil, nil, 0, &queue)
    } else {
      status = unsafe AudioQueueNewOutput(&format, Self.callback, nil, nil, nil, 0, &queue)
      format = Self.plain
      unsafe AudioQueueSetOfflineRenderFormat(queue, &format, nil)
    }
    guard status == noErr else { return status }
    unsafe queues.append(queue)
    let device = "null" as CFString
    var address = unsafe UInt(bitPattern: Unmanaged.passUnretained(device).toOpaque())
    unsafe AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &address, 8)
    withExtendedLifetime(device) {}
    return unsafe AudioQueueAddPropertyListener(
      queue, kAudioQueueProperty_IsRunning, Self.listener, nil)
  }

  private mutating func allocate(_ random: inout SplitMix) -> OSStatus {
    var buffer: AudioQueueBufferRef?
    let status = unsafe AudioQueueAllocateBufferWithPacketDescriptions(
      queue(&random), UInt32.random(in: 0..<2000, using: &random),
      UInt32.random(in: 0..<3, using: &random), &buffer)
    guard status == noErr, let buffer = unsafe buffer else { return status }
    let size = unsafe buffer.pointee.mAudioDataBytesCapacity
    // Sometimes the size is above the capacity.
    unsafe buffer.pointee.mAudioDataByteSize = size &+ (random.next() % 50 == 0 ? 1 : 0)
    unsafe buffers.append(buffer)
    return status
  }

  private func enqueue(_ random: inout SplitMix) -> OSStatus {
    let packets = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
      AudioStreamPacketDescription(
        mStartOffset: [0, 10, -1, .max, 100].randomElement(using: &random) ?? 0,
        mVariableFramesInPacket: 0, mDataByteSize: UInt32.random(in: 0..<300, using: &random))
    }
    let (queue, buffer) = unsafe (queue(&random), buffer(&random))
    guard Bool.random(using: &random) else {
      return unsafe AudioQueueEnqueueBuffer(queue, buffer, UInt32(packets.count), packets)
    }
    var start = AudioTimeStamp()
    start.mSampleTime = [0, 100, -5, 1e300, .nan].randomElement(using: &random) ?? 0
    if random.next() % 20 == 0 { start.mFlags = .sampleTimeValid }
    var change = AudioQueueParameterEvent(
      mID: [1, 2, 3, 4, 13, 99].randomElement(using: &random) ?? 1,
      mValue: [0, 1, -1, .nan, .infinity].randomElement(using: &random) ?? 0)
    let trims = (UInt32.random(in: 0..<30, using: &random), UInt32(random.next() % 3))
    var actual = AudioTimeStamp()
    return unsafe AudioQueueEnqueueBufferWithParameters(
      queue, buffer, UInt32(packets.count), packets, trims.0, trims.1,
      UInt32(random.next() % 2), &change, &start, &actual)
  }

  private func render(_ random: inout SplitMix) -> OSStatus {
    var stamp = AudioTimeStamp()
    return unsafe AudioQueueOfflineRender(
      queue(&random), &stamp, buffer(&random), UInt32.random(in: 0..<300, using: &random))
  }

  private func run(_ random: inout SplitMix) -> OSStatus {
    let queue = unsafe queue(&random)
    // A queue that plays in real time takes milliseconds for each stop.
    if random.next() % 5000 == 0 { unsafe AudioQueueSetOfflineRenderFormat(queue, nil, nil) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5:
      // An input is opened each time.
      guard unsafe isOffline(queue) || random.next() % 500 == 0 else { return noErr }
      return unsafe AudioQueueStart(queue, nil)
    case 5: return unsafe AudioQueueStop(queue, Bool.random(using: &random))
    case 6: return unsafe AudioQueuePause(queue)
    case 7: return unsafe AudioQueueFlush(queue)
    case 8: return unsafe AudioQueueReset(queue)
    default:
      var count = UInt32(0)
      return unsafe AudioQueuePrime(queue, UInt32(random.next() % 100), &count)
    }
  }

  private func isOffline(_ queue: AudioQueueRef?) -> Bool {
    var stamp = AudioTimeStamp()
    return unsafe AudioQueueOfflineRender(queue, &stamp, nil, 0)
      != kAudioQueueErr_InvalidOfflineMode
      && AudioQueueDeviceGetCurrentTime(queue, &stamp) != kAudioQueueErr_InvalidQueueType
  }

  private func property(_ random: inout SplitMix) -> OSStatus {
    let queue = unsafe queue(&random)
    let property = Self.properties.randomElement(using: &random) ?? 0
    var size = [0, 4, 8, 40, 4096].randomElement(using: &random) ?? UInt32(4)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return unsafe AudioQueueGetPropertySize(queue, property, &size)
    case 1: return unsafe AudioQueueGetProperty(queue, property, memory, &size)
    case 2: return unsafe AudioQueueSetProperty(queue, property, memory, size)
    case 3:
      return unsafe AudioQueueSetParameter(
        queue, AudioQueueParameterID(random.next() % 15),
        [0, 0.5, 2, -1, .nan].randomElement(using: &random) ?? 0)
    default:
      var value: Float = 0
      return unsafe AudioQueueGetParameter(
        queue, AudioQueueParameterID(random.next() % 15), &value)
    }
  }

  private mutating func time(_ random: inout SplitMix) -> OSStatus {
    let queue = unsafe queue(&random)
    var (stamp, other) = (AudioTimeStamp(), AudioTimeStamp())
    stamp.mSampleTime = [0, 1e6, -1e300, .nan].randomElement(using: &random) ?? 0
    stamp.mHostTime = random.next()
    stamp.mFlags = random.next() % 2 == 0 ? .sampleTimeValid : .hostTimeValid
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      var timeline: AudioQueueTimelineRef?
      let status = unsafe AudioQueueCreateTimeline(queue, &timeline)
      if status == noErr { unsafe timelines.append(timeline) }
      return status
    case 1: return unsafe AudioQueueDisposeTimeline(queue, any(timelines, &random))
    case 2:
      var flag: DarwinBoolean = false
      return unsafe AudioQueueGetCurrentTime(queue, any(timelines, &random), &other, &flag)
    case 3: return unsafe AudioQueueDeviceGetCurrentTime(queue, &other)
    case 4: return unsafe AudioQueueDeviceTranslateTime(queue, &stamp, &other)
    default: return unsafe AudioQueueDeviceGetNearestStartTime(queue, &stamp, 0)
    }
  }

  private mutating func tap(_ random: inout SplitMix) -> OSStatus {
    guard Bool.random(using: &random) else {
      return unsafe AudioQueueProcessingTapDispose(any(taps, &random))
    }
    var (frames, format, tap) = unsafe (
      UInt32(0), AudioStreamBasicDescription(), AudioQueueProcessingTapRef?.none
    )
    let flags = AudioQueueProcessingTapFlags(rawValue: UInt32(random.next() % 8))
    let status = unsafe AudioQueueProcessingTapNew(
      queue(&random), Self.tap, memory, flags, &frames, &format, &tap)
    if status == noErr { unsafe taps.append(tap) }
    return status
  }

  /// Disposes of what is old.
  private mutating func forget() {
    while unsafe queues.count > 12 { unsafe AudioQueueDispose(queues.removeFirst(), true) }
    while unsafe taps.count > 12 { unsafe AudioQueueProcessingTapDispose(taps.removeFirst()) }
    unsafe buffers.removeFirst(max(0, buffers.count - 60))
    while unsafe timelines.count > 12 {
      unsafe AudioQueueDisposeTimeline(queues.last ?? nil, timelines.removeFirst())
    }
  }
}
