// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import Realtime
internal import Synchronization

/// A port of `LoopbackPorts` that receives.
final class LoopbackInput: InputPort {
  let description: String
  let descriptors: [Int32]
  private let ports: LoopbackPorts
  private let number: Int

  init(_ ports: LoopbackPorts, name: String) throws {
    let news = try DeadlineWait()
    self.ports = ports
    description = "\(ports.kind):\(name)"
    descriptors = [news.descriptor]
    number = ports.state.withLock { state in
      let number = state.makeNumber()
      state.inputs[number] = LoopbackState.Input(news: news)
      return number
    }
  }

  deinit {
    ports.state.withLock { $0.inputs[number] = nil }
  }

  func connect(to source: Endpoint) throws {
    try ports.state.withLock { state in
      guard state.isPluggedIn(source.name) else {
        throw EndpointError.vanished(name: "\(source)")
      }
      state.inputs[number]?.sources.insert(source.name)
    }
  }

  var overflows: Int { ports.state.withLock { $0.inputs[number]?.overflows ?? 0 } }

  func senderName(_ track: UInt16) -> String {
    ports.peers().endpoints(.source).first { $0.address.track == track }?.fullName
      ?? "\(ports.kind):\(EndpointAddress(track: track))"
  }

  func drain(into buffer: inout HostEventBuffer) {
    ports.state.withLock { state in
      guard var input = state.inputs[number] else { return }
      // A deadline in the past, so this only clears the notification.
      _ = input.news.wait(until: 0)
      for event in input.received.events {
        buffer.append(event, payloads: input.received.payloads.span)
      }
      input.received.removeAll()
      state.inputs[number] = input
    }
  }
}
