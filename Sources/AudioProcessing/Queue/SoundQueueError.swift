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
      "\(queue): \(limit) buffers wait already (enqueue more when some of them are done)"
    case .channelMismatch(let queue, let count, let expected):
      "\(queue): a buffer of \(count) channels does not fit its \(expected)"
    case .nothingLeft(let queue, let count, let start, let end):
      "\(queue): trims of \(start) and \(end) frames leave nothing of \(count)"
    case .notRendered(let queue):
      "\(queue): too many commands wait, since nobody renders it (start an output first)"
    }
  }
}
