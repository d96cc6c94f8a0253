// SPDX-License-Identifier: Apache-2.0
internal import ClipPlayback

extension SoundControls {
  package var status: PlayStatus {
    var status = PlayStatus(kind: Self.kind)
    status.state = isPaused ? isStopped ? .stopped : .paused : .playing
    (status.isPaused, status.moves) = (isPaused, moves)
    (status.title, status.path) = (item.name, item.name)
    (status.index, status.count) = (index, items.count)
    status.list = items.enumerated().map { ($0, $1.name, "") }
    (status.seconds, status.duration) = (here, item.end)
    (status.speed, status.volume) = (Double(player.speed), volume)
    status.loop = (loop?.first, loop?.last)
    status.level = PlayStatus.decibels(player.level)
    return status
  }
}
