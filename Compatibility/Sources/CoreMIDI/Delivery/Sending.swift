// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Realtime

extension OutputPortObject {
  /// The output ports of all clients.
  static var all: [OutputPortObject] {
    HandleTable.shared.all(OutputPortObject.self).map(\.1)
  }

  /// Sends packets to any destination.
  func send(_ packets: [TimedBytes], to endpoint: EndpointObject) -> OSStatus {
    if let reader = endpoint.reader {
      DeliveryThread.shared?.add(endpoint.deliveries(of: packets, to: reader))
      return noErr
    }
    guard let link = link(to: endpoint) else { return kMIDIUnknownEndpoint }
    guard link.send(packets) else { return kMIDIMessageSendErr }
    DeliveryThread.shared?.add(link)
    return noErr
  }
}

extension EndpointObject {
  /// The deliveries of packets to the reader of a destination.
  func deliveries(
    of packets: [TimedBytes], to reader: PacketReader, by sender: ObjectIdentifier? = nil
  ) -> [DeliveryQueue.Delivery] {
    let now = DeadlineWait.now
    let isAtOnce = schedulesItself
    return packets.map { packet in
      var packet = packet
      if packet.time == 0 { packet.time = UInt64(clamping: now) }
      let time = isAtOnce ? now : max(now, Int64(clamping: packet.time))
      return unsafe DeliveryQueue.Delivery(
        time: time, target: number, sender: sender,
        deed: .packet(packet, for: reader, from: nil))
    }
  }

  /// Sends packets of a source to all connected ports.
  func distribute(_ packets: [TimedBytes]) {
    let now = DeadlineWait.now
    let deliveries = HandleTable.shared.all(InputPortObject.self).flatMap { _, port in
      guard let connection = port.connection(to: self) else {
        return [DeliveryQueue.Delivery]()
      }
      return packets.map { packet in
        unsafe DeliveryQueue.Delivery(
          time: now, target: port.number,
          deed: .packet(packet, for: port.reader, from: connection.data))
      }
    }
    DeliveryThread.shared?.add(deliveries)
    guard let link, link.send(packets) else { return }
    DeliveryThread.shared?.add(link)
  }
}
