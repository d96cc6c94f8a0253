// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Makes packets of AAC, ALAC or MP3 of what a `CaptureQueue` hands out.
///
/// ```swift
/// let capture = CaptureQueue(bufferFrames: 4096, rate: .hertz48000)
/// let encoded = try PacketCapture(capture, as: SoundFileFormat(.m4a), bitrate: 128_000)
/// let packets = encoded.packets
/// try capture.read(input)
/// try capture.start()
/// for await packet in packets { send(packet.bytes) }
/// ```
///
/// Where sound is missing in between, the packets before it are finished, and those behind it begin
/// with an encoder of their own, and say so. So they do after a pause.
///
/// - Note: Any thread. It encodes on the thread that the capture hands out its sound on.
public final class PacketCapture: @unchecked Sendable {
  // Unchecked: the encoder is used under the lock.

  /// A packet.
  public struct Packet: Hashable, Sendable {
    /// Its bytes.
    public let bytes: [UInt8]
    /// The frames that it decodes to.
    public let frameCount: Int
    /// The first of these, in the count of what is captured: before the first that was captured by as
    /// many as the encoder primes a decoder with.
    public let start: SampleTime
    /// Whether the packet does not follow the one before it, so that a decoder is to begin anew.
    public let isDiscontinuous: Bool
  }

  /// Frames that a packet takes.
  public let framesPerPacket: Int
  /// What a decoder is to know beforehand; empty where the packets tell all.
  public let magicCookie: [UInt8]
  /// Frames that a decoder gives before the first that was captured.
  public let primingFrameCount: Int
  private let queue: CaptureQueue
  private let open: @Sendable () throws(SoundFileError) -> PacketEncoder
  private let state: Mutex<State>
  private let observers = Observers<Packet?>()
  private let observer = Mutex<SoundQueue.Observer?>(nil)

  private struct State {
    var encoder: PacketEncoder?
    /// The capture's frame that the next one is to be, and the next packet's first.
    var next: SampleTime?
    var start = SampleTime(frames: 0)
    var isDiscontinuous = false
    var failure: SoundFileError?
  }

  /// Has what a capture hands out encoded from now on.
  ///
  /// - Parameters:
  ///   - queue: whose sound it is.
  ///   - format: M4A with AAC or with integers, which are ALAC's; or MP3.
  ///   - bitrate: bits a second of a lossy codec; nil for the usual.
  /// - Throws: as `PacketEncoder` does.
  public init(
    _ queue: CaptureQueue, as format: SoundFileFormat, bitrate: Int? = nil
  ) throws(SoundFileError) {
    let (rate, channelCount) = (queue.rate ?? .hertz48000, queue.inputChannelCounts[0])
    open = { () throws(SoundFileError) in
      try PacketEncoder(
        format, rate: rate, layout: .usual(channelCount: channelCount), bitrate: bitrate)
    }
    let encoder = try open()
    framesPerPacket = encoder.framesPerPacket
    magicCookie = encoder.magicCookie
    primingFrameCount = encoder.primingFrameCount
    self.queue = queue
    state = Mutex(State())
    let new = queue.observe { [weak self] in self?.take($0) }
    observer.withLock { $0 = new }
  }

  deinit {
    if let observer = observer.withLock({ $0 }) { queue.forget(observer) }
    observers.end()
  }

  /// The packets from now on, as a stream; it ends with this object, or where the capture is stopped.
  ///
  /// What nobody takes out of the stream waits in it without a limit.
  public var packets: AsyncStream<Packet> {
    let observers = observers
    return AsyncStream { continuation in
      let observer = observers.add { packet in
        if let packet { continuation.yield(packet) } else { continuation.finish() }
      } onEnd: {
        continuation.finish()
      }
      continuation.onTermination = { _ in observers.remove(observer) }
    }
  }

  /// An observer, for `forget`.
  public struct Observer: Hashable, Sendable {
    let number: Int
  }

  /// Calls a closure with each packet from now on, and with nil when the capture is stopped: on the
  /// thread that the capture hands out its sound on.
  ///
  /// - Parameter body: the closure.
  /// - Returns: an observer for `forget`.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Packet?) -> Void) -> Observer {
    Observer(number: observers.add(body))
  }

  /// Ends what `observe` began.
  ///
  /// - Parameter observer: the observer.
  public func forget(_ observer: Observer) { observers.remove(observer.number) }

  /// Why nothing was encoded any more; nil while it is.
  public var failure: SoundFileError? { state.withLock(\.failure) }
}

extension PacketCapture {
  private func take(_ event: CaptureQueue.Event) {
    for packet in state.withLock({ packets(of: event, &$0) }) { observers.tell(packet) }
    if case .stopped = event { observers.tell(nil) }
  }

  private func packets(of event: CaptureQueue.Event, _ state: inout State) -> [Packet] {
    do {
      switch event {
      case .sound(let sound): return try encode(sound, &state)
      case .dropped, .paused, .stopped: return try finish(&state)
      }
    } catch {
      (state.failure, state.encoder, state.next) = (error, nil, nil)
      return []
    }
  }

  private func encode(
    _ sound: CapturedSound, _ state: inout State
  ) throws(SoundFileError) -> [Packet] {
    var packets = state.next == sound.start ? [] : try finish(&state)
    let encoder: PacketEncoder
    if let known = state.encoder {
      encoder = known
    } else {
      encoder = try open()
      state.start = SampleTime(frames: sound.start.frames - Int64(primingFrameCount))
    }
    state.encoder = encoder
    state.next = SampleTime(frames: sound.start.frames + Int64(sound.frameCount))
    packets += told(try encoder.encode(sound.samples.span), &state)
    return packets
  }

  /// Ends what follows one another.
  private func finish(_ state: inout State) throws(SoundFileError) -> [Packet] {
    guard let encoder = state.encoder else { return [] }
    let packets = told(try encoder.finish(), &state)
    (state.encoder, state.next, state.isDiscontinuous) = (nil, nil, true)
    return packets
  }

  private func told(_ packets: [PacketEncoder.Packet], _ state: inout State) -> [Packet] {
    packets.map { packet in
      defer {
        state.start = SampleTime(frames: state.start.frames + Int64(packet.frameCount))
        state.isDiscontinuous = false
      }
      return Packet(
        bytes: packet.bytes, frameCount: packet.frameCount, start: state.start,
        isDiscontinuous: state.isDiscontinuous)
    }
  }
}
