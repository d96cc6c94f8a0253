// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import CoreAudioTypes

/// A SysEx message that is sent in pieces.
///
/// - Note: Its steps run on the delivery thread.
@safe
final class SysExTransfer: @unchecked Sendable {
  // Unchecked: only one thread runs its steps, and the program keeps the request valid.

  private let request: UnsafeMutablePointer<MIDISysexSendRequest>
  private let endpoint: EndpointObject
  private let port: OutputPortObject?
  private let total: Int
  /// True if the sequencer has all bytes; it sends them at the destination's speed.
  private var isHandedOver = false
  private static let piece = 256

  @unsafe
  init(_ request: UnsafeMutablePointer<MIDISysexSendRequest>, to endpoint: EndpointObject) {
    unsafe self.request = request
    self.endpoint = endpoint
    total = unsafe Int(request.pointee.bytesToSend)
    port = endpoint.reader == nil ? Self.port() : nil
  }

  /// A port of a separate client, for this message only.
  private static func port() -> OutputPortObject {
    let client = ClientObject(
      name: "SysEx", alsa: MIDISetup.shared.openClient(name: "SysEx"), listener: nil)
    return OutputPortObject(client, name: "SysEx")
  }

  func step() {
    guard unsafe !request.pointee.complete.boolValue, unsafe request.pointee.bytesToSend > 0 else {
      return end()
    }
    guard let delay = port == nil ? sendPiece() : followKernel() else { return end() }
    DeliveryThread.shared?.add(after: delay) { [self] in step() }
  }

  private func end() {
    unsafe request.pointee.complete = true
    unsafe request.pointee.completionProc(request)
  }

  private func take(_ count: Int) -> [UInt8] {
    let count = unsafe min(count, Int(request.pointee.bytesToSend))
    let bytes = unsafe Array(UnsafeBufferPointer(start: request.pointee.data, count: count))
    advance(count)
    return bytes
  }

  private func advance(_ count: Int) {
    unsafe request.pointee.data += count
    unsafe request.pointee.bytesToSend -= UInt32(count)
  }

  /// Passes a piece to a reader of this process; returns the nanoseconds that a MIDI cable would
  /// take.
  private func sendPiece() -> Int64? {
    guard let reader = endpoint.reader else { return nil }
    let bytes = take(Self.piece)
    unsafe reader.read([TimedBytes(time: mach_absolute_time(), bytes: bytes)], from: nil)
    return Int64(bytes.count) * 1_000_000_000 / Int64(endpoint.sysExSpeed)
  }

  /// Passes all bytes to the sequencer, then follows its progress; returns nil if it is not
  /// available.
  private func followKernel() -> Int64? {
    guard let link = port?.link(to: endpoint) else { return nil }
    guard isHandedOver else {
      isHandedOver = true
      let bytes = unsafe Array(UnsafeBufferPointer(start: request.pointee.data, count: total))
      guard link.send([TimedBytes(time: 0, bytes: bytes)]) else { return nil }
      return 1_000_000
    }
    let isUnderWay = link.goOn()
    let left = total - (unsafe Int(request.pointee.bytesToSend))
    let sent = isUnderWay ? link.progress.sent : total
    advance(max(0, min(sent, total) - left))
    return 5_000_000
  }
}
