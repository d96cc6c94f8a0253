// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation

/// Sends to another program's port in every way there is.
struct Sender {
  private var client: MIDIClientRef = 0
  private var port: MIDIPortRef = 0
  private let target: MIDIEndpointRef

  init(to name: String) {
    MIDIClientCreate("sender" as CFString, nil, nil, &client)
    MIDIOutputPortCreate(client, "out" as CFString, &port)
    target = Directory.wait(for: name) { Directory.destinations }
  }

  /// Calls with a list of packets.
  static func with(
    _ packets: [(MIDITimeStamp, [UInt8])], _ body: (UnsafePointer<MIDIPacketList>) -> OSStatus
  ) -> OSStatus {
    let size = 65_536
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { memory.deallocate() }
    let list = memory.bindMemory(to: MIDIPacketList.self, capacity: 1)
    var packet = MIDIPacketListInit(list)
    for (time, bytes) in packets {
      packet = MIDIPacketListAdd(list, size, packet, time, bytes.count, bytes)
    }
    return body(list)
  }

  func send(_ packets: [(MIDITimeStamp, [UInt8])]) {
    CoreMIDIProbe.check(Self.with(packets) { MIDISend(port, target, $0) }, "send")
  }

  func run() {
    send([(0, [0x90, 40, 1]), (0, [0x80, 40, 2])])
    let start = mach_absolute_time() + 200_000_000
    send([
      (start, [0x91, 50, 100]), (start, [0xB1, 7, 99]), (start + 100_000_000, [0x81, 50, 64]),
      (start + 150_000_000, [0xF0, 1, 2, 3]), (start + 150_000_000, [4, 5, 0xF7]),
      (start + 200_000_000, [0xE2, 0x12, 0x34]), (start + 200_000_000, [0xC3, 17]),
      (start + 200_000_000, [0xF2, 1, 2]), (start + 200_000_000, [0xF8]),
    ])
    CoreMIDIProbe.sleep(0.6)
    sendSysEx()
    flush(target, key: 70)
    flush(0, key: 72)
    CoreMIDIProbe.check(MIDIClientDispose(client), "dispose")
  }

  /// Sends 1000 bytes at a cable's speed, and waits for its end.
  private func sendSysEx() {
    let bytes = [0xF0] + (0..<998).map { UInt8($0 % 128) } + [0xF7]
    let data = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    data.update(from: bytes, count: bytes.count)
    let request = UnsafeMutablePointer<MIDISysexSendRequest>.allocate(capacity: 1)
    let over = DispatchSemaphore(value: 0)
    request.initialize(
      to: MIDISysexSendRequest(
        destination: target, data: UnsafePointer(data), bytesToSend: UInt32(bytes.count),
        complete: false, reserved: (0, 0, 0),
        completionProc: { request in
          guard let place = request.pointee.completionRefCon else { return }
          Unmanaged<DispatchSemaphore>.fromOpaque(place).takeUnretainedValue().signal()
        }, completionRefCon: Unmanaged.passUnretained(over).toOpaque()))
    let start = mach_absolute_time()
    CoreMIDIProbe.check(MIDISendSysex(request), "sysex")
    over.wait()
    let milliseconds = (mach_absolute_time() - start) / 1_000_000
    let isSlow = milliseconds >= 250
    CoreMIDIProbe.say(
      "sysex | \(request.pointee.complete) | \(request.pointee.bytesToSend) | \(isSlow)")
    request.deallocate()
    data.deallocate()
  }

  /// Strikes a key and takes back all that is to follow, of one destination or with 0 of all: its
  /// release comes at once, nothing else.
  private func flush(_ destination: MIDIEndpointRef, key: UInt8) {
    let later = mach_absolute_time() + 20_000_000_000
    send([
      (0, [0x94, key, 100]), (later, [0x84, key, 3]), (later + 1, [0x94, key + 1, 100]),
      (later + 2, [0x84, key + 1, 3]),
    ])
    CoreMIDIProbe.sleep(0.2)
    CoreMIDIProbe.check(MIDIFlushOutput(destination), "flush")
    CoreMIDIProbe.sleep(0.2)
  }
}
