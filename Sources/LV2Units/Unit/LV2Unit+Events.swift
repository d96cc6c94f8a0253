// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

extension LV2Unit {
  /// Sends events to the plug-in: messages at their frame, and parameter changes through
  /// `parameters`.
  ///
  /// - Returns: the number of events accepted, counted from the first; fewer than all if the queue
  ///   is full.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices {
      let event = events[index]
      switch event.payload {
      case .message(let message):
        guard push(message, at: event.time) else { return index }
      case .parameter:
        let one = events.extracting(index..<index + 1)
        guard parameters.send(one, payloads: payloads) == 1 else { return index }
      case .sysEx(let place):
        let end = Int(place.offset) + Int(place.count)
        guard push(sysEx: payloads.extracting(Int(place.offset)..<end), at: event.time) else {
          return index
        }
      default: break
      }
    }
    return events.count
  }

  private func push(_ message: Message, at time: ReferenceTime) -> Bool {
    var piece = MessagePiece(length: message.length)
    piece.append(message.status)
    if message.length > 1 { piece.append(message.data1) }
    if message.length > 2 { piece.append(message.data2) }
    return writer.push(piece, frame: configuration.rate.frame(at: time).frames)
  }

  private func push(sysEx bytes: Span<UInt8>, at time: ReferenceTime) -> Bool {
    let length = bytes.count + 2
    guard length <= MessagePiece.longest else {
      droppedSysExCount += 1
      return true
    }
    // A SysEx message is queued whole, so that a cancel removes all of it or none.
    guard writer.room >= MessagePiece.count(of: length) else { return false }
    let frame = configuration.rate.frame(at: time).frames
    var piece = MessagePiece(length: length)
    for place in 0..<length {
      if Int(piece.count) == MessagePiece.capacity {
        guard writer.push(piece, frame: frame) else { return false }
        piece = MessagePiece(length: 0)
      }
      piece.append(place == 0 ? 0xF0 : place == length - 1 ? 0xF7 : bytes[place - 1])
    }
    return writer.push(piece, frame: frame)
  }

  /// Removes queued events that are due at or after a time.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: configuration.rate.frame(at: time).frames)
    positionWriter.cancel(from: configuration.rate.frame(at: time).frames)
    parameters.cancel(from: time)
  }

  /// Sends the song position at a time; a plug-in without a position port ignores it.
  ///
  /// - Returns: true if the position was sent or ignored; false if the queue is full.
  public func tell(_ position: LV2Position, at time: ReferenceTime) -> Bool {
    positionWriter.push(position, frame: configuration.rate.frame(at: time).frames)
  }

  /// Discards queued events and silences all 16 channels, at the next quantum.
  ///
  /// - Note: Any thread.
  public func silence() {
    kernel.pointee.report.wantsSilence.store(true, ordering: .releasing)
  }

  /// Appends the MIDI messages that the plug-in has sent since the last call, each at its frame.
  ///
  /// The unit begins to collect messages at the first call. If the unit has two instances of the
  /// plug-in, the messages of the first are returned. Incomplete messages are left out.
  ///
  /// - Parameter buffer: receives the messages, in the order in which the plug-in sent them.
  /// - Complexity: O(n) in the number of bytes.
  public func takeEvents(into buffer: inout EventBuffer) {
    kernel.pointee.report.isHeard.store(true, ordering: .relaxed)
    while let sent = sentReader.pop() {
      if sent.piece.length > 0 {
        sentBytes.removeAll(keepingCapacity: true)
        sentLength = Int(sent.piece.length)
      }
      for index in 0..<Int(sent.piece.count) { sentBytes.append(sent.piece[index]) }
      guard sentBytes.count == sentLength else { continue }
      let time = configuration.rate.timeRoundedUp(of: SampleTime(frames: sent.frame))
      append(sentBytes.span, at: time, to: &buffer)
    }
  }

  private func append(_ bytes: Span<UInt8>, at time: ReferenceTime, to buffer: inout EventBuffer) {
    let status = bytes[0]
    if status == 0xF0 {
      guard bytes.count > 2, bytes[bytes.count - 1] == 0xF7 else { return }
      buffer.append(sysEx: bytes.extracting(1..<bytes.count - 1), time: time, track: 0)
    } else if status >= 0x80, bytes.count <= 3 {
      let message = Message(
        status: status, data1: bytes.count > 1 ? bytes[1] & 0x7F : 0,
        data2: bytes.count > 2 ? bytes[2] & 0x7F : 0)
      guard message.length == bytes.count else { return }
      buffer.append(TimedEvent(time: time, payload: .message(message)))
    }
  }

  /// The number of messages from the plug-in that were dropped because the queue was full or they
  /// were longer than 4096 bytes.
  ///
  /// - Note: Any thread.
  public var refusedEventCount: Int {
    kernel.pointee.report.refusedEvents.load(ordering: .relaxed)
  }
}
