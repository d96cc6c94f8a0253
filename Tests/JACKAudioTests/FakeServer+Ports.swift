// SPDX-License-Identifier: Apache-2.0
import CJACK
import Glibc
import Synchronization

@testable import JACKAudio

/// The answers of the library about ports.
extension FakeServer {
  static func fillPorts(_ table: inout CJACKTable) {
    unsafe table.port_register = { _, name, type, _, _ in
      let server = unsafe FakeServer.current
      if let room = server.portRoom {
        guard room > 0 else {
          // The server has ended between two ports.
          if !server.staysUp { server.isUp.store(false, ordering: .releasing) }
          return nil
        }
        server.portRoom = room - 1
      }
      server.portCount += 1
      let port = 100 + server.portCount
      if let type = unsafe type, unsafe String(cString: type) == JACKHandle.midi {
        server.messages[port] = FakeMIDIBuffer()
      }
      server.names[port] = unsafe name.map { unsafe String(cString: $0) } ?? ""
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: FakeServer.capacity)
      unsafe buffer.initialize(repeating: 9, count: FakeServer.capacity)
      unsafe server.buffers[port] = buffer
      return unsafe FakeServer.address(port)
    }
    unsafe table.port_unregister = { _, port in
      unsafe FakeServer.current.names[Int(bitPattern: port)] = nil
      return 0
    }
    unsafe table.port_get_buffer = { port, _ in
      let server = unsafe FakeServer.current
      let port = Int(bitPattern: port)
      if let buffer = server.messages[port] {
        return unsafe Unmanaged.passUnretained(buffer).toOpaque()
      }
      return unsafe server.buffers[port].map { UnsafeMutableRawPointer($0) }
    }
    unsafe table.port_name = { port in
      let name = unsafe FakeServer.current.names[Int(bitPattern: port)] ?? ""
      // Leaks a few bytes per test.
      return unsafe UnsafePointer(strdup("test:\(name)"))
    }
    unsafe table.port_by_name = { _, name in
      guard let effect = unsafe FakeServer.current.effect, let name = unsafe name,
        unsafe String(cString: name) == effect.input
      else { return nil }
      return unsafe FakeServer.address(FakeServer.effectPort)
    }
    unsafe table.port_get_latency_range = { _, mode, range in
      let server = unsafe FakeServer.current
      let latency = mode == JackPlaybackLatency ? server.playbackLatency : server.captureLatency
      unsafe range?.pointee = jack_latency_range_t(min: latency, max: latency)
    }
    unsafe table.port_set_latency_range = { port, mode, range in
      let server = unsafe FakeServer.current
      let name = server.names[Int(bitPattern: port)] ?? ""
      let latency = unsafe range?.pointee.max ?? 0
      server.told.withLock { told in
        if mode == JackPlaybackLatency {
          told[name, default: (0, 0)].playback = latency
        } else {
          told[name, default: (0, 0)].capture = latency
        }
      }
    }
    unsafe table.recompute_total_latencies = { _ in
      unsafe FakeServer.current.tellLatencies()
      return 0
    }
    unsafe table.get_ports = { _, _, type, flags in
      let server = unsafe FakeServer.current
      if flags & UInt(JackPortIsTerminal.rawValue) != 0 { return unsafe FakeServer.list([]) }
      let isSource = flags & UInt(JackPortIsOutput.rawValue) != 0
      let isMIDI = unsafe type.map { unsafe String(cString: $0) } == JACKHandle.midi
      let isPhysical = flags & UInt(JackPortIsPhysical.rawValue) != 0
      guard isMIDI else {
        let effect = server.effect.map { [isSource ? $0.output : $0.input] } ?? []
        return unsafe FakeServer.list(["card:in_1", "card:in_2"] + effect)
      }
      let names = isSource ? server.sources : server.destinations
      return unsafe FakeServer.list(names.filter { !isPhysical || $0.hasPrefix("system:") })
    }
    unsafe table.port_get_all_connections = { _, port in
      let server = unsafe FakeServer.current
      let number = Int(bitPattern: port)
      let name =
        number == FakeServer.effectPort
        ? server.effect?.input ?? "" : "test:" + (server.names[number] ?? "")
      return unsafe FakeServer.list(
        server.connections.compactMap { $0.0 == name ? $0.1 : $0.1 == name ? $0.0 : nil })
    }
    unsafe table.free = { unsafe Glibc.free($0) }
    unsafe table.connect = { _, source, destination in
      guard let source = unsafe source, let destination = unsafe destination else { return -1 }
      let pair = unsafe (String(cString: source), String(cString: destination))
      let server = unsafe FakeServer.current
      let others = server.sources + server.destinations + ["card:in_1", "card:in_2"]
      guard others.contains(pair.0) || others.contains(pair.1) else { return -1 }
      if server.connections.contains(where: { $0 == pair }) { return EEXIST }
      server.connections.append(pair)
      return 0
    }
  }
}
