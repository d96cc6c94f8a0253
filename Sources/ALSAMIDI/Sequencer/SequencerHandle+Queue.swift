// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIPorts

extension SequencerHandle {
  /// The finest rate of a queue, in steps per second: 160 µs each.
  static let finestRate: UInt32 = 6250

  /// Creates a queue on the high-resolution timer and starts it: `snd_seq_alloc_queue`,
  /// `snd_seq_set_queue_timer`, `snd_seq_control_queue`.
  ///
  /// The kernel's default is one step per millisecond.
  func startQueue() throws(EndpointError) -> Int32 {
    let queue = unsafe try withPointer { (sequencer) throws(EndpointError) in
      try EndpointError.check("create a queue", unsafe snd_seq_alloc_queue(sequencer))
    }
    try chooseTimer(of: queue)
    unsafe try withPointer { (sequencer) throws(EndpointError) in
      let started = unsafe snd_seq_control_queue(
        sequencer, queue, Int32(SND_SEQ_EVENT_START.rawValue), 0, nil)
      try EndpointError.check("start the queue", started)
      try EndpointError.check("start the queue", unsafe snd_seq_drain_output(sequencer))
    }
    return queue
  }

  /// The queue's time in nanoseconds, and the number of events in it: `snd_seq_get_queue_status`.
  func queueStatus(_ queue: Int32) throws(EndpointError) -> (time: Int64, events: Int) {
    var status: OpaquePointer?
    try EndpointError.check("read the queue", unsafe snd_seq_queue_status_malloc(&status))
    defer { unsafe snd_seq_queue_status_free(status) }
    let code = unsafe withPointer { unsafe snd_seq_get_queue_status($0, queue, status) }
    try EndpointError.check("read the queue", code)
    guard let time = unsafe snd_seq_queue_status_get_real_time(status) else { return (0, 0) }
    let seconds = unsafe Int64(time.pointee.tv_sec)
    let nanoseconds = unsafe Int64(time.pointee.tv_nsec)
    let events = Int(unsafe snd_seq_queue_status_get_events(status))
    return (seconds * 1_000_000_000 + nanoseconds, events)
  }

  /// Removes the events with a tag from the queue, if a time is given only from that time on:
  /// `snd_seq_remove_events`.
  func removeEvents(
    queue: Int32, tag: UInt8, from nanoseconds: Int64?
  ) throws(EndpointError) {
    var removal: OpaquePointer?
    try EndpointError.check("cancel events", unsafe snd_seq_remove_events_malloc(&removal))
    defer { unsafe snd_seq_remove_events_free(removal) }
    var condition = SND_SEQ_REMOVE_OUTPUT | SND_SEQ_REMOVE_TAG_MATCH
    unsafe snd_seq_remove_events_set_queue(removal, queue)
    unsafe snd_seq_remove_events_set_tag(removal, Int32(tag))
    if let nanoseconds {
      condition |= SND_SEQ_REMOVE_TIME_AFTER
      var stamp = snd_seq_timestamp_t(time: snd_seq_real_time_t(nanoseconds: nanoseconds))
      unsafe snd_seq_remove_events_set_time(removal, &stamp)
    }
    unsafe snd_seq_remove_events_set_condition(removal, UInt32(condition))
    let code = unsafe withPointer { unsafe snd_seq_remove_events($0, removal) }
    try EndpointError.check("cancel events", code)
  }

  private func chooseTimer(of queue: Int32) throws(EndpointError) {
    var timer: OpaquePointer?
    var identity: OpaquePointer?
    try EndpointError.check("set the timer", unsafe snd_seq_queue_timer_malloc(&timer))
    defer { unsafe snd_seq_queue_timer_free(timer) }
    try EndpointError.check("set the timer", unsafe snd_timer_id_malloc(&identity))
    defer { unsafe snd_timer_id_free(identity) }
    unsafe snd_timer_id_set_class(identity, Int32(SND_TIMER_CLASS_GLOBAL.rawValue))
    unsafe snd_timer_id_set_sclass(identity, Int32(SND_TIMER_SCLASS_NONE.rawValue))
    unsafe snd_timer_id_set_card(identity, -1)
    unsafe snd_timer_id_set_device(identity, SND_TIMER_GLOBAL_HRTIMER)
    unsafe snd_timer_id_set_subdevice(identity, 0)
    unsafe snd_seq_queue_timer_set_type(timer, SND_SEQ_TIMER_ALSA)
    unsafe snd_seq_queue_timer_set_id(timer, identity)
    unsafe snd_seq_queue_timer_set_resolution(timer, Self.finestRate)
    // A kernel without the high-resolution timer keeps its own, which is coarser.
    _ = unsafe withPointer { unsafe snd_seq_set_queue_timer($0, queue, timer) }
  }
}

extension snd_seq_real_time_t {
  /// Nanoseconds of queue time; the caller has limited them to the range.
  init(nanoseconds: Int64) {
    self.init(
      tv_sec: UInt32(nanoseconds / 1_000_000_000), tv_nsec: UInt32(nanoseconds % 1_000_000_000))
  }
}
