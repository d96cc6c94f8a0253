// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import ClipPlayback

extension ToldEvents {
  convenience init(_ queue: PacketQueue) {
    self.init()
    queue.observe { [weak self] event in
      guard case .queue(let event) = event else { return }
      self?.add(event)
    }
  }
}
