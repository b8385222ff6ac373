import { expect, describe, it } from '@jest/globals';
import type { View } from '../../../src/scanning/views/views.dto.js';
import { publicUrl, workflowScene } from '../../support/workflow-scene.js';

const scene = workflowScene({ jobs: true });

const post = async (json: object) => {
  const { token } = scene.organization.admin;
  const whole = { name: 'Serious', shared: true, ...json };
  return (await scene.service.api.post<View>('/api/v1/views', { token, json: whole })).body;
};
const sentIds = async (index: number) => {
  const { issues } = await scene.receiver.payload<{ issues: { id: string }[] }>(index);
  return issues.map(({ id }) => id);
};
const remove = (id: string) =>
  scene.service.api.delete(`/api/v1/views/${id}`, { token: scene.organization.admin.token });

describe('A workflow with the condition viewId', () => {
  it('sends the issues of the view, as its filter is at that time', async () => {
    const tag = await scene.things.tag();
    const asset = await scene.things.asset({}, [tag]);
    const high = await scene.things.issue(asset, { severity: 'HIGH' });
    const low = await scene.things.issue(asset, { severity: 'LOW' });
    await scene.things.issue(await scene.things.asset(), { severity: 'HIGH' });
    const view = await post({ filter: { severities: ['HIGH'], tagIds: [tag] } });
    const conditions = { viewId: view.id };
    const { id } = await scene.calls.make(scene.receiver.url, { conditions, parameters: { resources: ['issues'] } });
    await scene.calls.run(id);
    expect(await sentIds(0)).toEqual([high]);
    const { token } = scene.organization.admin;
    await scene.service.api.patch(`/api/v1/views/${view.id}`, { token, json: { filter: { severities: ['LOW'] } } });
    await scene.calls.run(id);
    expect(await sentIds(1)).toEqual([low]);
  });

  it('says that the view is deleted, rather than sending everything', async () => {
    await scene.things.issue(await scene.things.asset());
    const view = await post({ filter: {} });
    const { id } = await scene.calls.make(scene.receiver.url, { conditions: { viewId: view.id } });
    await remove(view.id);
    await scene.calls.run(id);
    const [run] = await scene.calls.settledRuns(id);
    expect(run).toMatchObject({ status: 'FAILED', reason: expect.stringContaining('no such view') });
    expect(scene.receiver.received).toEqual([]);
  });

  it('takes only views of the organization, and only where the trigger has issues', async () => {
    const place = [['body', 'conditions', 'viewId']];
    const own = await post({ filter: {}, shared: false });
    expect(await scene.calls.refusedPlaces(publicUrl, { conditions: { viewId: own.id } })).toEqual(place);
    const shared = await post({ filter: {} });
    const conditions = { viewId: shared.id };
    expect(await scene.calls.refusedPlaces(publicUrl, { conditions, trigger: { type: 'SCAN_STARTED' } })).toEqual(
      place,
    );
    expect(await scene.calls.refusedPlaces(publicUrl, { conditions, trigger: { type: 'NEW_ISSUE' } })).toBeNull();
  });
});
