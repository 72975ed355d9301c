// Plays on the page as hands do: with the same events on the same elements. Read by tests/web/pages.py.
(() => {
  if (window.driver) return;

  // What the page shows for a moment stays until a test that is held up has seen it. Only the waits before the page
  // connects again are as long as ever.
  const MOMENT_MS = 800;
  const usual = window.setTimeout;
  window.setTimeout = (then, ms = 0, ...rest) => {
    const stays = ms >= MOMENT_MS && !new Error().stack.includes('/js/connection.js');
    return usual.call(window, then, stays ? 60_000 + ms : ms, ...rest);
  };

  /** From now on no time passes by the page's own clock: nothing of it is too early or too late. */
  const stopTime = () => {
    const now = performance.now();
    performance.now = () => now;
  };

  /** From now on it is so much later by the page's own clock. */
  const passTime = (ms) => {
    const before = performance.now.bind(performance);
    performance.now = () => before() + ms;
  };

  const board = () => document.querySelector('ace-board');
  const session = () => board()?.session ?? null;
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const keyOf = (box) => (box.seat < 0 ? box.name : `${box.seat}${box.name}`);
  const pile = (key) => board().layout.piles.find((box) => keyOf(box) === key);

  /** In the page's coordinates, near the upper left corner of the card that is `count` from the end of a pile. */
  const point = (key, count = 1) => {
    const box = pile(key);
    const card = box.cards.at(-count);
    const { x, y } = (card && board().layout.places.get(card.id)) ?? box;
    const { left, top } = board().getBoundingClientRect();
    const inset = Math.min(12, board().layout.cardWidth * box.scale * 0.2);
    return [left + x + inset, top + y + Math.min(inset, 5)];
  };

  const read = (move) => {
    const [, from, count, to] = /^(w|c\d|f:[shdc]\d?)(?::(\d+))?>(f|c\d)$/.exec(move);
    return { from, count: Number(count ?? 1), to };
  };

  /** The key of the pile that a move names. */
  const place = (name, suit, source) => {
    if (name.startsWith('f:')) {
      const foundations = session().mirror.foundations;
      const slots = foundations.flatMap(({ suit: own, cards }, k) => (own === name[2] && cards.length ? k : []));
      const second = name[3] && foundations.length > 4 ? Number(name[3]) - 1 : 0;
      return name[3] ? `f${foundations.findIndex(({ suit: own }) => own === name[2]) + second}` : `f${slots[0]}`;
    }
    if (name !== 'f') return `${session().seat}${name}`;
    return `f${session().mirror.foundations.findIndex(({ suit: own }) => own === suit)}`;
  };

  const ends = (move) => {
    const { from, count, to } = read(move);
    const source = place(from);
    return { source, count, target: place(to, pile(source).cards.at(-1)?.face?.[1]) };
  };

  const fire = (type, [clientX, clientY], more = {}) =>
    board().dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerId: 7, isPrimary: true, button: 0, bubbles: true, cancelable: true, ...more }));

  const tapPile = (key, count = 1) => {
    fire('pointerdown', point(key, count));
    fire('pointerup', point(key, count));
  };

  // Two taps on one pile within this time are one double tap, which is not meant here.
  const DOUBLE_TAP_MS = 350;
  let tapped = { key: '', at: 0 };
  const apart = async (key) => {
    const wait = tapped.key === key ? tapped.at + DOUBLE_TAP_MS + 20 - performance.now() : 0;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    tapped = { key, at: performance.now() };
  };

  const ways = {
    drag(move) {
      if (move === 'd' || move === 'r') return tapPile(`${session().seat}s`);
      const { source, count, target } = ends(move);
      const [from, to] = [point(source, count), point(target, 1)];
      fire('pointerdown', from);
      fire('pointermove', [from[0] + 9, from[1] + 9]);
      fire('pointermove', to);
      fire('pointerup', to);
    },
    async tap(move) {
      if (!move.endsWith('>f')) return ways.drag(move);
      await apart(ends(move).source);
      tapPile(ends(move).source);
    },
    keys(move) {
      const press = (key) => (document.activeElement.closest?.('ace-board') ? document.activeElement : board()).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      if (move === 'd' || move === 'r') return press('d');
      const { from, to } = read(move);
      if (from.startsWith('f:')) {
        board().pileElement(place(from)).focus();
        press('Enter');
      } else press(from === 'w' ? 'w' : from[1]);
      press(to === 'f' ? 'f' : to[1]);
    },
  };

  /** Resolves once the table has an event after `seq` and the legal moves that go with it. */
  const settled = (seq, ms = 50_000) =>
    new Promise((resolve, reject) => {
      const own = session();
      const late = setTimeout(() => (stop(), reject(new Error(`no answer after event ${seq}`))), ms);
      const stop = own.listen((news) => {
        if (news?.type === 'refused') (clearTimeout(late), stop(), reject(new Error(`refused: ${news.reason} ${news.detail}`)));
        if (own.mirror.seq > seq && (own.choices || own.mirror.phase === 'over')) (clearTimeout(late), stop(), resolve());
      });
    });

  const playAll = async (moves, way) => {
    for (const [i, move] of moves.entries()) {
      const { seq } = session().mirror;
      const answer = settled(seq);
      try {
        await ways[way](move);
        await answer;
      } catch (error) {
        throw new Error(`move ${i + 1}, ${move}: ${error.message}`);
      }
      if (way !== 'keys') await frame();
    }
    await frame();
  };

  /** All of a long line: its first and last moves by hand, the rest at once by what every hand ends in. */
  const playLine = async (moves, way, first = 14, last = 3) => {
    const middle = moves.slice(first, -last);
    await playAll(moves.slice(0, first), way);
    const { seq } = session().mirror;
    await new Promise((resolve, reject) => {
      const stop = session().listen((news) => {
        if (news?.type === 'refused' || news?.type === 'problem') (stop(), reject(new Error(`refused: ${news.reason ?? news.code}`)));
        if (session().mirror.seq >= seq + middle.length && session().choices) (stop(), resolve());
      });
      for (const move of middle) session().play(move);
    });
    await frame();
    await playAll(moves.slice(-last), way);
  };

  /** Whether a move turns a card up or empties a column: with foundation plays, what brings a game on. */
  const opens = (move) => {
    const found = /^c(\d):(\d+)>c/.exec(move);
    if (!found) return false;
    const cards = session().mirror.seat(session().seat).columns[found[1] - 1];
    const open = cards.filter(({ face }) => face !== null).length;
    return open === Number(found[2]) && cards.length > open;
  };

  /** Play a match as far as a simple mind gets, then say that nothing is left. Resolves when it is over. The first
   *  moves are made by hand. */
  const race = async (way, byHand = 12) => {
    const over = () => session().mirror.phase === 'over';
    const next = () => new Promise((resolve) => { const stop = session().listen(() => (stop(), resolve())); setTimeout(() => (stop(), resolve()), 200); });
    let [idle, made] = [0, 0];
    while (!over()) {
      const choices = [...(session().choices ?? [])];
      const { stock, waste } = session().mirror.seat(session().seat);
      const good = choices.find((move) => move.endsWith('>f')) ?? choices.find(opens) ?? choices.find((move) => move.startsWith('w>'));
      const turn = choices.find((one) => one === 'd' || one === 'r');
      const walked = !turn || idle > stock.length + waste.length + 2;
      const move = good ?? (walked ? null : turn);
      if (!move || session().pending.size) {
        const done = document.querySelector('.tool.done');
        if (!session().pending.size && session().choices && walked && !done.disabled) done.click();
        await next();
        continue;
      }
      idle = good ? 0 : idle + 1;
      made += 1;
      if (made > byHand) session().play(move);
      else await ways[way](move);
      await next();
      if (made <= byHand) await frame();
    }
    await frame();
  };

  /** Random moves, undos and redos, unseen; the answer is how often the page's copy was not the server's. */
  const walk = async (count) => {
    board().style.display = 'none';
    let state = 12345;
    const draw = (n) => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return Math.floor(state / 65536) % n;
    };
    for (let i = 0; i < count && session().active; i += 1) {
      const own = session();
      const { seq } = own.mirror;
      const answer = new Promise((resolve) => {
        const stop = own.listen((news) => {
          if (news?.type === 'refused' || news?.type === 'problem' || (own.mirror.seq > seq && own.choices)) (stop(), resolve());
        });
      });
      const dice = draw(10);
      const moves = [...own.choices];
      if (dice < 2 || !moves.length) own.command('undo');
      else if (dice < 3) own.command('redo');
      else own.play(moves[draw(moves.length)]);
      await answer;
    }
    return session().drifts;
  };

  /** Cards that stick out of the board. */
  const outside = () => {
    const { width, height } = board().getBoundingClientRect();
    const { places, cardWidth, cardHeight } = board().layout;
    return [...places.values()]
      .filter(({ shown }) => shown)
      .filter(({ x, y, scale }) => x < 0 || y < 0 || x + cardWidth * scale > width + 1 || y + cardHeight * scale > height + 1)
      .map(({ pile: { name }, x, y }) => `${name} ${x} ${y}`);
  };

  /** Drop a group with its first card over most of a column, low on the board; the answer is the column that is meant. */
  const dropGroup = async (key, count, number) => {
    let sent = null;
    session().play = (move) => (sent = move);
    const [x, y] = point(key, count);
    const [column] = point(`0c${number}`);
    const end = [column + board().layout.cardWidth * 0.3, board().getBoundingClientRect().bottom - 60];
    fire('pointerdown', [x, y]);
    fire('pointermove', [x + 20, y]);
    fire('pointermove', end);
    fire('pointerup', end);
    delete session().play;
    board().held.clear();
    await frame();
    return sent === null ? key.slice(1) : sent.split('>')[1];
  };

  const position = () => {
    const { seats, foundations } = session().mirror;
    return JSON.stringify([seats, foundations], (name, value) => (name === 'id' ? 0 : value));
  };

  /** Resolves when all that moves has arrived. */
  const landed = async () => {
    await frame();
    const moving = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity);
    await Promise.all(moving.map(({ finished }) => finished.catch(() => {})));
    await frame();
  };

  window.driver = { race, playLine, landed, walk, outside, dropGroup, position, board, session, point, ends, ways, settled, playAll, frame, stopTime, passTime, tapPile };
})();
