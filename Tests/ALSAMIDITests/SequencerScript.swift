// SPDX-License-Identifier: Apache-2.0

/// The script of the functional tests in the machine: each section leaves files in `$VM_OUT`.
enum SequencerScript {
  static let text = """
    cd "$VM_OUT"
    status() { echo "$1 $2" >> status.txt; }
    # Gives unwanted events time to arrive.
    settle() { sleep 1; }
    # The sequencer's view: a listener on Midi Through, a client that sends to another.
    listens() { aconnect -l | grep -q "Connected From: 14:0"; }
    sends() { aconnect -l | sed -n "/'$1'/,/^client/p" | grep -q "Connecting To"; }
    client() { aconnect -l | grep -q "'$1'"; }
    end() { kill "$@"; wait "${!#}"; }

    aplaymidi -l > aplaymidi.txt
    $DOWNBEAT ports list --destinations > list.txt
    $DOWNBEAT ports --json > list.json

    # The completions of a shell after `send --port` and the beginning of a name.
    $DOWNBEAT --generate-completion-script bash > complete.bash; source complete.bash
    COMP_WORDS=($DOWNBEAT send --port Mi); COMP_CWORD=3
    COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
    _downbeat $DOWNBEAT Mi --port 2> complete-errors.txt
    printf '%s\\n' "${COMPREPLY[@]}" > complete.txt

    aseqdump -p 14:0 > send.txt & witness=$!
    await listens
    $DOWNBEAT send --json -p through pc 41 on C4 100 wait 50ms off C4 64 ch 10 cc 7 100 pb 0 \\
      pp 60 5 cp 9 start spp 5 syx 1 2 3 > sent.json
    status send $?
    printf 'on 61 1 # a comment\\n\\nwait 10ms off 61 2' | $DOWNBEAT send -p 14
    printf '\\x90\\x3e\\x01\\x3e\\x00\\xf0\\x09\\xf7' | $DOWNBEAT send -p 14 --raw
    ALSA_OUTPUT_PORTS=14:0 $DOWNBEAT send on 63 1
    await grep -q "note 63" send.txt; end $witness

    # A program that goes away while it plays releases what sounds.
    for signal in INT TERM HUP; do
      heard="release-$signal.txt"
      aseqdump -p 14:0 > "$heard" & witness=$!
      await listens
      env --default-signal=INT $DOWNBEAT send --json -p 14 ch 3 on 60 1 on 64 1 cc 64 127 wait 60s \\
        off 60 0 > release-$signal.json & sender=$!
      await grep -q "controller 64, value 127" "$heard"
      kill -$signal $sender; wait $sender; status "release-$signal" $?
      await grep -q "controller 123" "$heard"; settle; end $witness
    done

    # A long SysEx: at a cable's speed the last of its 2002 bytes leave after 573 ms.
    { printf '\\xf0'; head -c 2000 /dev/zero | tr '\\0' '\\125'; printf '\\xf7'; } > long.syx
    $DOWNBEAT monitor -p 14 --json --count 3 --for 60s > sysex.json & witness=$!
    await listens
    $DOWNBEAT send -p 14 long.syx on 70 1 start; status sysex $?
    wait $witness

    # aplaymidi is the sender, monitor the witness.
    $DOWNBEAT monitor -p 14 --count 8 --for 60s > monitor.txt & witness=$!
    await listens; aplaymidi -p 14:0 "$INPUTS/eight.mid"; wait $witness; status monitor $?
    $DOWNBEAT monitor -p 14 --count 2 --for 60s --kind note --keys 64-65 --json > filter.json &
    witness=$!
    await listens; aplaymidi -p 14:0 "$INPUTS/eight.mid"; wait $witness

    # Connections, with aconnect as the witness.
    $DOWNBEAT ports connect 'VirMIDI 0-0' 'VirMIDI 0-1' --json > made.json; aconnect -l > connected.txt
    $DOWNBEAT ports list --connections > connections.txt
    $DOWNBEAT ports disconnect 'VirMIDI 0-0' 'VirMIDI 0-1' --json >> made.json; aconnect -l > disconnected.txt
    $DOWNBEAT ports disconnect 'VirMIDI 0-0' 'VirMIDI 0-1' --json > again.json 2> again.txt; status again $?

    # Thru: by the kernel if nothing changes, by us if events change.
    $DOWNBEAT thru -f 16:0 -t 14:0 & thru=$!
    await sends 'Virtual Raw MIDI 0-0'; aconnect -l > thru-kernel.txt
    end $thru; aconnect -l > thru-after.txt
    $DOWNBEAT monitor --for 120s > thru.txt 2> /dev/null & witness=$!
    await client 'downbeat monitor'
    $DOWNBEAT send --virtual keys --wait on 60 100 on 61 100 off 61 0 wait 120s & keys=$!
    await client keys
    $DOWNBEAT thru --json -f keys -t 'downbeat monitor' --transpose 12 --map 1=5 > thru.json & thru=$!
    await grep -q "note 73, velocity 0" thru.txt
    kill -TERM $thru; wait $thru; status thru $?
    await grep -q "Note off.*note 72" thru.txt; end -TERM $witness; end $keys

    # Thru: values, controllers and parameters.
    aseqdump > values.txt & witness=$!
    await client aseqdump
    $DOWNBEAT send --virtual knobs --wait cc 1 100 rpn 0 24 nrpn 300 200 pb 16383 pp 60 40 cp 50 \\
      pc 10 on 36 100 off 36 0 wait 120s & knobs=$!
    await client knobs
    $DOWNBEAT thru -f knobs -t aseqdump --control 1=to11,50% --control rpn:0=max12 \\
      --control nrpn:300=off --bend 50% --key-pressure -10 --channel-pressure 36=35/50=99 \\
      --program +1 --key curve0=20/127=127 --velocity -10 & thru=$!
    await grep -q "Note off" values.txt; end -TERM $thru; end $witness; end $knobs

    # Panic.
    aseqdump -p 14:0 > panic.txt & witness=$!
    await listens; $DOWNBEAT panic --json -p 14 > panic.json; status panic $?
    await eval '[ "$(grep -c "Note off" panic.txt)" -ge 2048 ]'; settle; end $witness

    # Watching, and a source that disappears and returns under another number.
    $DOWNBEAT ports watch --json > watch.json & watch=$!
    await grep -q 'Connected From: 0:1' /proc/asound/seq/clients
    $DOWNBEAT send --virtual phoenix wait 120s & first=$!
    await client phoenix
    $DOWNBEAT monitor -p phoenix --count 1 --for 120s > phoenix.txt 2> phoenix.err & witness=$!
    await sends phoenix; end $first
    await grep -q "disconnected" phoenix.err
    aseqdump > /dev/null & between=$!
    await client aseqdump
    $DOWNBEAT send --virtual phoenix --wait on 99 9 wait 120s & second=$!
    wait $witness; status phoenix $?
    kill $watch $second $between; wait $watch $second $between

    # A paused reader: lost events are reported.
    $DOWNBEAT monitor -p 14 --for 120s --kind note > slow.txt 2> slow.err & witness=$!
    await listens; kill -STOP $witness
    for n in $(seq 3000); do echo "on 60 1 off 60 0"; done | $DOWNBEAT send -p 14
    kill -CONT $witness; await grep -q "are lost" slow.err
    $DOWNBEAT send -p 14 on 100 1 off 100 0
    await grep -q "note 100" slow.txt; end -TERM $witness

    # Errors are reported in a sentence, each with its status.
    $DOWNBEAT send --json -p nobody on 60 1 > unknown.json 2> unknown.txt; status unknown $?
    $DOWNBEAT send -p virmidi on 60 1 2> ambiguous.txt; status ambiguous $?
    chmod 600 /dev/snd/seq
    setpriv --reuid=65534 --clear-groups $DOWNBEAT ports 2> permission.txt; status permission $?
    rm /dev/snd/seq
    $DOWNBEAT ports 2> none.txt; status none $?
    """
}
