// SPDX-License-Identifier: Apache-2.0

/// The reason that a queue refuses a buffer or a command.
public enum SoundQueueError: Error, Hashable, Sendable {
  /// The maximum number of buffers is waiting.
  case full(queue: String, limit: Int)
  /// The channel counts of the buffer and the queue differ.
  case channelMismatch(queue: String, channelCount: Int, expected: Int)
  /// Nothing remains to be played, because `trimStart` and `trimEnd` remove all frames of the
  /// buffer.
  case nothingLeft(queue: String, frameCount: Int, trimStart: Int, trimEnd: Int)
  /// The maximum number of commands is waiting, because the queue is not rendered.
  case notRendered(queue: String)
}

extension SoundQueueError: CustomStringConvertible {
  /// One line for the user: the queue, the fault and the remedy.
  public var description: String {
    switch self {
    case .full(let queue, let limit):
      "\(queue): full, \(limit) buffers are waiting (enqueue more when some of them are done)"
    case .channelMismatch(let queue, let count, let expected):
      "\(queue): the buffer has \(count) channels, but the queue has \(expected)"
    case .nothingLeft(let queue, let count, let start, let end):
      "\(queue): trims of \(start) and \(end) frames leave nothing of the buffer's \(count) frames"
    case .notRendered(let queue):
      "\(queue): too many commands are waiting; nothing renders the queue (start an output first)"
    }
  }
}
