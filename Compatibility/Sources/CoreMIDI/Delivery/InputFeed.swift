// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Synchronization

/// A receiving port in the kernel's sequencer, with the function that receives its packets.
final class InputFeed: Sendable {
  /// A function that receives the packets of one sender, on the delivery thread.
  typealias Take = @Sendable (_ sender: EndpointAddress, _ packets: [TimedBytes]) -> Void

  let port: ALSAInputPort
  private let take = Mutex<Take?>(nil)
  private static let longestPacket = 32_768

  /// Opens a port, or returns nil if the sequencer refuses it.
  init?(_ client: ALSAClient, name: String) {
    do {
      port = try ALSAInputPort(client, name: name)
    } catch {
      return nil
    }
  }

  /// Starts to pass packets to a function.
  func start(_ take: @escaping Take) {
    self.take.withLock { $0 = take }
    DeliveryThread.shared?.add(self)
  }

  /// Stops passing packets.
  func stop() {
    DeliveryThread.shared?.remove(self)
    take.withLock { $0 = nil }
  }

  /// Passes all received packets to the function; returns false if the sequencer is not available
  /// any more.
  func drain() -> Bool {
    var buffer = HostEventBuffer(capacity: 64, payloadCapacity: 1024)
    do {
      try port.drain(into: &buffer)
    } catch {
      return false
    }
    guard !buffer.isEmpty, let take = take.withLock({ $0 }) else { return true }
    var encoder = MessageEncoder()
    var run: (sender: UInt16, packets: [TimedBytes]) = (0, [])
    func hand() {
      if !run.packets.isEmpty { take(EndpointAddress(track: run.sender), run.packets) }
      run.packets = []
    }
    for event in buffer.events {
      if event.track != run.sender { hand() }
      run.sender = event.track
      let bytes = Self.bytes(of: event, buffer.payloads, &encoder)
      let time = UInt64(clamping: event.time.nanoseconds)
      for start in stride(from: 0, to: bytes.count, by: Self.longestPacket) {
        let end = min(bytes.count, start + Self.longestPacket)
        run.packets.append(TimedBytes(time: time, bytes: Array(bytes[start..<end])))
      }
    }
    hand()
    return true
  }

  private static func bytes(
    of event: HostEvent, _ payloads: ContiguousArray<UInt8>, _ encoder: inout MessageEncoder
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    switch event.payload {
    case .message(let message): encoder.encode(message, into: &bytes)
    case .sysEx(let place):
      let range = Int(place.offset)..<Int(place.offset) + Int(place.count)
      encoder.encode(sysEx: payloads.span.extracting(range), into: &bytes)
    case .parameter, .fact, .sysExPart: break
    }
    return bytes
  }
}
