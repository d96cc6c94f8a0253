// SPDX-License-Identifier: Apache-2.0

/// Why a queue does not take a buffer or a command.
public enum SoundQueueError: Error, Hashable, Sendable {
  /// So many buffers wait that there is no room for another.
  case full(queue: String, limit: Int)
  /// The buffer has other channels than the queue.
  case channelMismatch(queue: String, channelCount: Int, expected: Int)
  /// The trims leave nothing of the buffer.
  case nothingLeft(queue: String, frameCount: Int, trimStart: Int, trimEnd: Int)
  /// So many commands wait that there is no room for another: nobody renders the queue.
  case notRendered(queue: String)
}

extension SoundQueueError: CustomStringConvertible {
  /// The sentence for the user.
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
