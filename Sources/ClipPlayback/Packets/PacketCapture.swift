// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Encodes the sound of a `CaptureQueue` to packets of AAC, ALAC or MP3.
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
/// After missing sound or a pause, encoding continues with a new encoder, whose first packet is
/// marked as discontinuous.
///
/// - Note: Safe to use from any thread. Sound is encoded on the thread on which the capture
///   delivers it.
public final class PacketCapture: @unchecked Sendable {
  // Unchecked: the encoder is used under the lock.

  /// An encoded packet of the capture.
  public struct Packet: Hashable, Sendable {
    /// The bytes of the packet.
    public let bytes: [UInt8]
    /// The number of frames that the packet decodes to.
    public let frameCount: Int
    /// The position of the packet's first decoded frame, in frames of the capture.
    ///
    /// The position of the first packet is before the first captured frame, by the priming of the
    /// encoder.
    public let start: SampleTime
    /// True if the packet does not directly follow the previous one, so that the decoder must be
    /// reset.
    public let isDiscontinuous: Bool
  }

  /// The number of captured frames in a packet.
  public let framesPerPacket: Int
  /// The bytes that a decoder needs before the first packet; empty if the codec does not need any.
  public let magicCookie: [UInt8]
  /// The number of frames that a decoder outputs before the first captured frame.
  public let primingFrameCount: Int
  private let queue: CaptureQueue
  private let open: @Sendable () throws(SoundFileError) -> PacketEncoder
  private let state: Mutex<State>
  private let observers = Observers<Packet?>()
  private let observer = Mutex<SoundQueue.Observer?>(nil)

  private struct State {
    var encoder: PacketEncoder?
    /// The expected next frame of the capture, and the start of the next packet.
    var next: SampleTime?
    var start = SampleTime(frames: 0)
    var isDiscontinuous = false
    var failure: SoundFileError?
  }

  /// Starts to encode the sound that a capture delivers.
  ///
  /// - Parameters:
  ///   - queue: The capture, whose sound is encoded.
  ///   - format: M4A with AAC, or with integers for ALAC; or MP3.
  ///   - bitrate: The bitrate of a lossy codec in bits per second; nil for the default of
  ///     `PacketEncoder`.
  /// - Throws: The errors of `PacketEncoder.init`.
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

  /// A new stream of the packets from now on.
  ///
  /// The stream ends when this object is released, or the capture stops. Packets that are not read
  /// from the stream are stored in it without a limit.
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

  /// Identifies a closure added with `observe`; pass it to `forget` to stop the calls.
  public struct Observer: Hashable, Sendable {
    let number: Int
  }

  /// Adds a closure that is called with each packet from now on, and with nil when the capture
  /// stops.
  ///
  /// - Parameter body: The closure, which is called on the thread on which the capture delivers its
  ///   sound.
  /// - Returns: A token for `forget`.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Packet?) -> Void) -> Observer {
    Observer(number: observers.add(body))
  }

  /// Removes a closure that was added with `observe`.
  ///
  /// - Parameter observer: The token that `observe` returned.
  public func forget(_ observer: Observer) { observers.remove(observer.number) }

  /// The error that ended encoding; nil if encoding did not fail.
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

  /// Finishes the current encoder and its packets.
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
