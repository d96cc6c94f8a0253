// SPDX-License-Identifier: Apache-2.0

extension ClockPage {
  /// The script of the page.
  ///
  /// It synchronises with the server's clock by the fastest round trips, and draws beats that the
  /// server sends in advance.
  static let script = #"""
    'use strict';
    const part = id => document.getElementById(id);
    const token = location.hash.slice(1);
    let socket = null, scene = null, heardAt = 0, offset = null, wanted = null, drawnAt = 0;
    let answers = [], asked = new Map(), questions = 0, retry = 250, can = [], notice = '', sized = '';

    // The server's clock, in milliseconds.
    function ask() {
      if (!socket || socket.readyState !== 1) return;
      questions += 1;
      asked.set(questions, performance.now());
      if (asked.size > 20) asked.delete(asked.keys().next().value);
      socket.send(JSON.stringify({type: 'ping', id: questions}));
    }

    function answered(message) {
      const sent = asked.get(message.id), now = performance.now();
      if (sent === undefined) return;
      asked.delete(message.id);
      answers.push({at: now, trip: now - sent, offset: message.now - (now + sent) / 2});
      answers = answers.filter(answer => now - answer.at < 60000).slice(-40);
      const soonest = Math.min(...answers.map(answer => answer.trip));
      // Those about as quick, the middle one: one answer alone may be off.
      const good = answers.filter(answer => answer.trip <= soonest * 1.1 + 1)
        .map(answer => answer.offset).sort((a, b) => a - b);
      wanted = good[good.length >> 1];
      if (offset === null || Math.abs(wanted - offset) > 250) offset = wanted;
    }

    function connect() {
      const address = (location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + '/clock';
      socket = new WebSocket(address);
      socket.onopen = () => {
        retry = 250;
        answers = [];
        asked.clear();
        if (token) socket.send(JSON.stringify({type: 'token', token}));
        for (let count = 0; count < 8; count += 1) setTimeout(ask, count * 120);
      };
      socket.onmessage = event => {
        const message = JSON.parse(event.data);
        if (message.type === 'clock') { scene = message; heardAt = performance.now(); }
        else if (message.type === 'pong') answered(message);
        else if (message.type === 'lead') { can = message.can; buttons(); }
        else if (message.type === 'error') {
          notice = message.error;
          setTimeout(() => { notice = ''; }, 4000);
        }
      };
      socket.onclose = () => {
        socket = null;
        can = [];
        buttons();
        setTimeout(connect, retry);
        retry = Math.min(retry * 2, 4000);
      };
    }

    // The beat that holds at an instant; past the last that was told it goes on as that did.
    function beatAt(now) {
      const beats = scene.beats;
      if (!scene.running || !beats.length || now < beats[0][0]) return scene.at;
      let index = beats.length - 1;
      while (beats[index][0] > now) index -= 1;
      let [time, bar, beat, count] = beats[index];
      if (index === beats.length - 1 && index > 0) {
        const length = time - beats[index - 1][0];
        const more = length > 0 ? Math.floor((now - time) / length) : 0;
        beat += more;
        bar += Math.floor((beat - 1) / count);
        beat = (beat - 1) % count + 1;
      }
      return [bar, beat, count];
    }

    const two = number => String(number).padStart(2, '0');

    function label(frames) {
      const nominal = scene.nominal, day = Math.round(scene.drop
        ? 144 * (600 * nominal - 9 * nominal / 15) : 86400 * nominal);
      let frame = ((Math.floor(frames) % day) + day) % day;
      if (scene.drop) {
        const dropped = nominal / 15, ten = 600 * nominal - 9 * dropped;
        const rest = frame % ten, minute = 60 * nominal - dropped;
        frame += 9 * dropped * Math.floor(frame / ten)
          + (rest >= 60 * nominal ? dropped * (1 + Math.floor((rest - 60 * nominal) / minute)) : 0);
      }
      const seconds = Math.floor(frame / nominal);
      return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two)
        .join(':') + (scene.drop ? ';' : ':') + two(frame % nominal);
    }

    function clockText(seconds) {
      const whole = Math.max(0, Math.floor(seconds)), hours = Math.floor(whole / 3600);
      const minutes = Math.floor(whole / 60) % 60;
      return (hours ? hours + ':' + two(minutes) : minutes) + ':' + two(whole % 60);
    }

    function show(id, text) {
      const place = part(id);
      if (place.textContent !== text) place.textContent = text;
    }

    // As large as the digits have room: side by side, or one below the other.
    function size(bar, beat) {
      if (sized === bar + ' ' + beat) return;
      sized = bar + ' ' + beat;
      const style = part('place').style;
      style.setProperty('--digits', Math.max(3, bar + beat + .8));
      style.setProperty('--bar', Math.max(3, bar, beat));
    }

    function dots(beat, count) {
      const row = part('dots'), wanted = count > 16 ? 0 : count;
      if (row.childElementCount !== wanted) {
        row.replaceChildren(...Array.from({length: wanted}, () => document.createElement('i')));
      }
      for (let index = 0; index < wanted; index += 1) {
        const name = index + 1 === beat ? 'on' : index + 1 < beat ? 'past' : '';
        if (row.children[index].className !== name) row.children[index].className = name;
      }
    }

    function condition(isLost) {
      if (isLost) return ['lost', socket ? 'clock not responding' : 'connection lost'];
      if (!scene.running) return ['stopped', scene.lock && scene.lock !== 'locked' ? scene.lock : 'stopped'];
      if (scene.uncertain) return ['warn', 'uncertain'];
      if (scene.lock && scene.lock !== 'locked') return ['warn', scene.lock];
      return ['good', scene.lock || 'running'];
    }

    function draw(frame) {
      requestAnimationFrame(draw);
      if (!scene || offset === null) return;
      offset += (wanted - offset) * Math.min(1, Math.max(0, frame - drawnAt) / 500);
      drawnAt = frame;
      // What is drawn now is seen half a picture later.
      const now = performance.now() + offset + 8, since = (now - scene.now) / 1000;
      const [name, words] = condition(performance.now() - heardAt > 5000);
      if (document.body.className !== name) document.body.className = name;
      show('state', notice || words);
      show('title', scene.title);
      show('source', scene.source);
      const place = beatAt(now);
      if (place) {
        const [bar, beat, count] = place;
        show('bar', String(bar));
        show('beat', String(beat));
        size(String(bar).length, String(beat).length);
        dots(beat, count);
      }
      part('place').hidden = part('dots').hidden = !place;
      show('label', label(scene.frames + since * scene.speed * scene.fps));
      show('time', clockText(scene.seconds + since * scene.speed));
      show('bpm', scene.bpm === null ? '–' : scene.bpm.toFixed(scene.bpm < 100 ? 2 : 1));
      show('meter', scene.meter || '–');
      show('marker', scene.marker || '');
      show('next', scene.next || '');
      show('until', scene.nextAt === null ? '' : 'in ' + clockText(Math.ceil((scene.nextAt - now) / 1000)));
      part('markers').hidden = !scene.marker;
      part('nexts').hidden = !scene.next;
      const main = part('toggle');
      if (main) show('toggle', scene.running ? 'Pause' : 'Start');
    }

    function buttons() {
      const row = part('lead');
      const all = [
        ['restart', 'Beginning', ['restart']], ['marker', '◀ Marker', ['marker', -1]],
        ['bars', '− Bar', ['bars', -1]], ['toggle', 'Start', ['toggle']], ['bars', '+ Bar', ['bars', 1]],
        ['marker', 'Marker ▶', ['marker', 1]], ['stop', 'Stop', ['stop']]];
      row.replaceChildren(...all.filter(([verb]) => can.includes(verb)).map(([verb, text, command]) => {
        const button = document.createElement('button');
        button.textContent = text;
        if (verb === 'toggle') { button.id = 'toggle'; button.className = 'main'; }
        button.onclick = () => socket && socket.send(JSON.stringify({type: 'command', command}));
        return button;
      }));
      row.hidden = !row.childElementCount;
    }

    // A screen that is looked at stays on.
    async function stayOn() {
      if (document.visibilityState !== 'visible' || !navigator.wakeLock) return;
      try { await navigator.wakeLock.request('screen'); } catch { /* It may not. */ }
    }

    document.addEventListener('visibilitychange', () => { stayOn(); ask(); });
    setInterval(ask, 2000);
    stayOn();
    connect();
    requestAnimationFrame(draw);
    """#
}
